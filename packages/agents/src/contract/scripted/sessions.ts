import type { ProvokingMessage } from "../agent-scenario.ts";
import { pixel, skillsConfig } from "../contract-fixtures.ts";
import { numbers, slowly, slowNumbers } from "./slow-text.ts";

/** Conversations beside each other, and conversations that are lost and come back. */
export const sessions = {
  twoSessions: { ...counting("apples"), other: counting("pears") },
  systemPromptAfterRestart: {
    message: "Who are you, and what can you do?",
    session: { systemPrompt: "You are the keeper of the Colossus.", skills: skillsConfig },
    script: [{ text: "The keeper of the Colossus." }],
    modelSees: "keeper of the Colossus",
  },
  attachmentsAfterRestart: {
    message: "Keep these two.",
    files: { "kept.png": pixel, "kept.txt": "The keeper dreams at dawn.\n" },
    attach: [
      { file: "kept.png", mime: "image/png" },
      { file: "kept.txt", mime: "text/plain" },
    ],
    script: [{ text: "Kept." }],
  },
  resume: remembering("Remember the harbour.", "The harbour it is."),
  restored: remembering("Remember the lagoon.", "The lagoon it is."),
  killedIdle: remembering("Remember the storm.", "The storm it is."),
  killedBusy: {
    message: "Count until you die.",
    script: [slowNumbers],
    after: remembering("Remember the fog.", "The fog it is."),
  },
} satisfies Record<string, ProvokingMessage>;

function counting(what: string): ProvokingMessage {
  const pieces = numbers.slice(0, 30).map((number) => `${what}-${number}`);
  return { message: `Count the ${what}.`, script: [slowly(pieces)], replies: `${what}-29` };
}

function remembering(message: string, replies: string): ProvokingMessage {
  return { message, script: [{ text: replies }], replies };
}
