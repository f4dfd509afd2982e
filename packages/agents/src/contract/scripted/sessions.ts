import type { ProvokingMessage } from "../agent-scenario.ts";
import { numbers, slowly, slowNumbers } from "./slow-text.ts";

/** Conversations beside each other, and conversations that are lost and come back. */
export const sessions = {
  twoSessions: { ...counting("apples"), other: counting("pears") },
  resume: remembering("Remember the harbour.", "The harbour it is."),
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
