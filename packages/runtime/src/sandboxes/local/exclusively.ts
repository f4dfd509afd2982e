import { setTimeout as sleep } from "node:timers/promises";
import { tryProcessLock } from "@sandbox-agent-ts/agents/process-identity";
import { SandboxProviderError } from "../sandbox-provider.ts";

const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 20;

const queues = new Map<string, Promise<unknown>>();

/** Work on a sandbox that nobody else, in this process or another, may do at the same time. */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(lock) ?? Promise.resolve()).then(() => locked(lock, work));
  const settled = turn.catch(() => undefined);
  queues.set(lock, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(lock) === settled) queues.delete(lock);
  }
}

async function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const attempt = tryProcessLock(lock);
    if ("release" in attempt) {
      try {
        return await work();
      } finally {
        attempt.release();
      }
    }
    if (performance.now() > deadline)
      throw new SandboxProviderError(
        "conflict",
        `Process ${attempt.heldBy} is at work on this sandbox. Try again later.`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}
