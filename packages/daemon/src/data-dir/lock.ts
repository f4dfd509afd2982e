import { tryProcessLock } from "@sandbox-agent-ts/agents/process-identity";
import { SandboxError } from "@sandbox-agent-ts/protocol";

/** Take the lock file, or refuse with a sentence that names the daemon that has it. Returns how to give it back. */
export function takeLock(path: string, directory: string): () => void {
  const attempt = tryProcessLock(path);
  if ("release" in attempt) return attempt.release;
  const who = attempt.heldBy === undefined ? "another daemon" : `the daemon with pid ${attempt.heldBy}`;
  throw new SandboxError(
    "invalid_request",
    `${directory} is in use by ${who}. Stop it, or start this one with another --data-dir.`,
  );
}
