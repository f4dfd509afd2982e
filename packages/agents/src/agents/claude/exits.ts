import type { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ProcessExit } from "../../process/agent-process.ts";
import { exitError, lastWords } from "../../process/exit-error.ts";

/** Why the turn is lost with its process. */
export function lostTurn(exit: ProcessExit, sessionId: string): SandboxError {
  const said = lastWords(exit);
  const sentence = (how: string): string =>
    `Claude Code ended in the middle of a turn (${how}${said}). Send the message again to go on.`;
  return exitError(exit, sentence, { agent: "claude", sessionId });
}

export function isLostConversation({ stderr }: ProcessExit): boolean {
  return `${stderr.head ?? ""}${stderr.tail ?? ""}`.includes("No conversation found with session ID");
}
