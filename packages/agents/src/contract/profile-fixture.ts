import { type AgentProfile, hookEvents } from "@sandbox-agent-ts/protocol";
import { mcpServerConfig } from "./contract-fixtures.ts";

/** What a person types, what the model is told then, and what a subagent is told. */
export const profileCommandLine = "/lamp north";
export const profilePrompt = "Light the lamp of the north tower, as the profile says.";
export const profileTask = "Check the lamps of the profile one by one.";

/** What the model is to see of the profile, and what its command prints. */
export const profileTexts = {
  systemPrompt: "You keep the lamps of the profile.",
  instructions: "Whoever keeps the lamps counts the ships.",
  skill: "Lights the beacon of the profile at dusk.",
  subagent: "You check lamps for the profile, and nothing else.",
  environment: "the lamp is lit with olive oil",
  file: "The log of the profile begins here.",
  mcp: "AHOY FROM THE PROFILE",
} as const;

export const profileShellCommand = 'echo "the lamp is $PROFILE_LAMP with $PROFILE_SECRET"; cat keeper/log.txt';

/** A profile with everything. Its hooks write the names of their events into a file, one a line. */
export function profileWithEverything(hookLog: string): AgentProfile {
  const skill = `---\nname: beacon\ndescription: ${profileTexts.skill}\n---\nRead notes/oil.md first.\n`;
  return {
    systemPrompt: profileTexts.systemPrompt,
    instructions: profileTexts.instructions,
    skills: { beacon: { files: { "SKILL.md": skill, "notes/oil.md": "Olive oil.\n" } } },
    subagents: { "lamp-checker": { description: "Checks lamps, one by one", prompt: profileTexts.subagent } },
    commands: { lamp: { prompt: "Light the lamp of the $1 tower, as the profile says." } },
    mcp: { profile: mcpServerConfig },
    hooks: hookEvents.map((event) => ({ event, command: `echo ${event} >> '${hookLog}'` })),
    env: { PROFILE_LAMP: "lit" },
    secrets: { PROFILE_SECRET: "olive oil" },
    files: { "keeper/log.txt": profileTexts.file },
  };
}
