import { SandboxError, type SandboxErrorContext } from "@sandbox-agent-ts/protocol";
import type { ProcessExit } from "./agent-process.ts";

const LONGEST_WORDS = 500;

/** That a process is gone: `sentence` gets to know how, and says what to do. */
export function exitError(
  { exitCode, signal, stderr, spawnError, outputError }: ProcessExit,
  sentence: (how: string) => string,
  context: Pick<SandboxErrorContext, "agent" | "sessionId">,
): SandboxError {
  const unread = outputError && `it was ended because its output could not be read: ${outputError.message}`;
  const how = spawnError?.message ?? unread ?? (signal ? `it got ${signal}` : `exit code ${exitCode}`);
  const details = { exitCode, signal, stderr };
  return new SandboxError("agent_process_exited", sentence(how), {
    ...context,
    details,
    cause: spawnError ?? outputError,
  });
}

/** The last it printed about it, on one line and after a colon; nothing where it said nothing. */
export function lastWords({ stderr }: ProcessExit, isNoise: (line: string) => boolean = () => false): string {
  const lines = (stderr.tail ?? stderr.head ?? "").split("\n").filter((line) => !isNoise(line));
  const words = lines.join(" ").replaceAll(/\s+/g, " ").trim().slice(-LONGEST_WORDS);
  return words === "" ? "" : `: ${words}`;
}
