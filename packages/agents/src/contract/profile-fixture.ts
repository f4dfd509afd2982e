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
  skillFile: "Trim the wick of the profile first.",
  subagent: "You check lamps for the profile, and nothing else.",
  environment: "the lamp is lit",
  secret: "its oil comes from a grove of the profile",
  file: "The log of the profile begins here.",
  mcp: "AHOY FROM THE PROFILE",
} as const;

/** With `{{skill}}`, the skill's folder as the model is told of it. */
export const profileShellCommand =
  'echo "the lamp is $PROFILE_LAMP"; echo "its oil comes from $PROFILE_SECRET"; cat keeper/log.txt "{{skill}}/notes/oil.md"';
export const profileSkillFolder = /(\/[\w./-]+\/skills\/beacon)/;

/** A profile with everything. Its hooks write the names of their events into a file, one a line. */
export function profileWithEverything(hookLog: string): AgentProfile {
  const skill = `---\nname: beacon\ndescription: ${profileTexts.skill}\n---\nRead notes/oil.md first.\n`;
  return {
    systemPrompt: profileTexts.systemPrompt,
    instructions: profileTexts.instructions,
    skills: { beacon: { files: { "SKILL.md": skill, "notes/oil.md": `${profileTexts.skillFile}\n` } } },
    subagents: { "lamp-checker": { description: "Checks lamps, one by one", prompt: profileTexts.subagent } },
    commands: { lamp: { prompt: "Light the lamp of the $1 tower, as the profile says." } },
    mcp: { profile: mcpServerConfig },
    hooks: hookEvents.map((event) => ({ event, command: `echo ${event} >> '${hookLog}'` })),
    env: { PROFILE_LAMP: "lit" },
    secrets: { PROFILE_SECRET: "a grove of the profile" },
    files: { "keeper/log.txt": profileTexts.file },
  };
}
