/** The parts of a profile: an agent takes each of them, or what it does not take is told. */
export const profileEntities = [
  "systemPrompt",
  "instructions",
  "skills",
  "subagents",
  "commands",
  "mcp",
  "hooks",
  "env",
  "secrets",
  "files",
] as const;

/** When hooks of a profile run. */
export const hookEvents = ["sessionStart", "userPrompt", "beforeTool", "afterTool", "turnEnd", "sessionEnd"] as const;
