import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseHolder, tryProcessLock } from "@sandbox-agent-ts/agents/process-identity";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { isListening, isSocketOf, openLifeSocket } from "./life-socket.ts";

/**
 * Take the lock file, or refuse with a sentence that names the daemon that has it. Returns how to give it back. Containers
 * that share a directory do not see each other's processes, so the holder also listens on a socket beside its lock.
 */
export async function takeLock(path: string, directory: string): Promise<() => void> {
  const life = await openLifeSocket(path);
  const deadElsewhere = new Set<string>();
  try {
    while (true) {
      const attempt = tryProcessLock(path, { socket: life?.name, deadElsewhere });
      if ("release" in attempt) {
        removeSocketOf(path, attempt.replaced);
        return () => {
          attempt.release();
          life?.close();
        };
      }
      const { heldBy, elsewhere } = attempt;
      if (elsewhere === undefined) throw inUse(directory, heldBy);
      const { socket } = elsewhere.holder;
      if (socket === undefined || (await isListening(path, socket))) throw inUseElsewhere(directory, path, socket);
      deadElsewhere.add(elsewhere.text);
    }
  } catch (error) {
    life?.close();
    throw error;
  }
}

function inUse(directory: string, pid: number | undefined): SandboxError {
  const who = pid === undefined ? "another daemon" : `the daemon with pid ${pid}`;
  return new SandboxError(
    "invalid_request",
    `${directory} is in use by ${who}. Stop it, or start this one with another --data-dir.`,
  );
}

function inUseElsewhere(directory: string, path: string, socket: string | undefined): SandboxError {
  const unknown = socket === undefined ? ` If none runs there any more, remove ${path}.` : "";
  return new SandboxError(
    "invalid_request",
    `${directory} is in use by a daemon in another container. ` +
      `Stop it, or start this one with another --data-dir.${unknown}`,
  );
}

function removeSocketOf(path: string, deadLock: string | undefined): void {
  const socket = parseHolder(deadLock ?? "")?.socket;
  if (socket !== undefined && isSocketOf(path, socket)) rmSync(join(dirname(path), socket), { force: true });
}
