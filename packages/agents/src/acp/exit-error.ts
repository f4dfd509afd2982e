import { SandboxError } from "@sandbox-agent/protocol";
import type { ProcessExit } from "../process/agent-process.ts";
import type { AcpAgent } from "./acp-agent.ts";

const LONGEST_REASON = 500;

/** Why a process is gone, in a sentence that says what to do. */
export function exitError({ id, displayName, quirks }: AcpAgent, sessionId: string, exit: ProcessExit): SandboxError {
  const { exitCode, signal, stderr, spawnError, outputError } = exit;
  const how = spawnError?.message ?? (signal ? `it got ${signal}` : `exit code ${exitCode}`);
  const said = lastWords(exit, quirks?.isNoise ?? (() => false));
  const sentence = spawnError
    ? `${displayName} could not be started (${how}). Install it, or correct its command.`
    : `${displayName} ended unexpectedly (${how}${said === "" ? "" : `: ${said}`}). Send the message again to go on.`;
  const details = { exitCode, signal, stderr };
  return new SandboxError("agent_process_exited", sentence, {
    agent: id,
    sessionId,
    details,
    cause: spawnError ?? outputError,
  });
}

function lastWords({ stderr }: ProcessExit, isNoise: (line: string) => boolean): string {
  const lines = (stderr.tail ?? stderr.head ?? "").split("\n").filter((line) => !isNoise(line));
  return lines.join(" ").replaceAll(/\s+/g, " ").trim().slice(-LONGEST_REASON);
}
