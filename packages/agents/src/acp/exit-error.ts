import type { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ProcessExit } from "../process/agent-process.ts";
import { exitError as errorOf, lastWords } from "../process/exit-error.ts";
import type { AcpAgent } from "./acp-agent.ts";

/** Why a process is gone, in a sentence that says what to do. */
export function exitError({ id, displayName, quirks }: AcpAgent, sessionId: string, exit: ProcessExit): SandboxError {
  const sentence = (how: string): string =>
    exit.spawnError
      ? `${displayName} could not be started (${how}). Install it, or correct its command.`
      : `${displayName} ended unexpectedly (${how}${lastWords(exit, quirks?.isNoise)}). Send the message again to go on.`;
  return errorOf(exit, sentence, { agent: id, sessionId });
}
