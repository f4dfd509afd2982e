import type { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ProcessExit } from "../../process/agent-process.ts";
import { exitError } from "../../process/exit-error.ts";

const LONGEST_REASON = 500;

/** Why the turn is lost with its process. */
export function lostTurn(exit: ProcessExit, sessionId: string): SandboxError {
  const sentence = (how: string): string =>
    `Amp ended in the middle of a turn (${how}). Send the message again to go on.`;
  return exitError(exit, sentence, { agent: "amp", sessionId });
}

/** What Amp says before it gives up, e.g. about a wrong key; nothing when it died. */
export function refusalOf({ exitCode, stderr }: ProcessExit): string | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  const said = wordsOf({ stderr });
  return said === "" ? undefined : said.slice(0, LONGEST_REASON);
}

export function isUnknownFlag({ stderr }: ProcessExit): boolean {
  return /unknown (option|flag|argument)|unrecognized (option|argument)/i.test(wordsOf({ stderr }));
}

/** The thread was archived or deleted, by the user or by Amp itself. */
export function isLostThread({ stderr }: ProcessExit): boolean {
  return /archived and cannot be continued|thread not found|invalid thread/i.test(wordsOf({ stderr }));
}

function wordsOf({ stderr }: Pick<ProcessExit, "stderr">): string {
  const words = `${stderr.head ?? ""}${stderr.tail ?? ""}`.replaceAll(/\s+/g, " ").trim();
  return words.replace(/^(Error: )+(error: )?/, "");
}
