import { setTimeout as sleep } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ProcessFamily } from "./process-family.ts";

export const DEFAULT_GRACE_MS = 2_000;
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;
/** What SIGKILL does not end in this time hangs in the kernel. */
const KILL_LIMIT_MS = 10_000;

/**
 * SIGTERM to all, SIGKILL to those left after the grace time; resolves when none is alive. `leaderExited` spares looking
 * while the leader is known to run.
 */
export async function endFamily(
  family: ProcessFamily,
  graceMs: number,
  leaderExited: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const graceEnd = performance.now() + graceMs;
  await family.signal("SIGTERM");
  await settledBefore(graceEnd, leaderExited);
  if (await goneBefore(graceEnd, family)) return;
  await family.signal("SIGKILL");
  const killEnd = performance.now() + KILL_LIMIT_MS;
  const keepKilling = () => family.signal("SIGKILL");
  if (await goneBefore(killEnd, family, keepKilling)) return;
  throw new SandboxError("timeout", "A process did not end on SIGKILL; it hangs in the kernel. Restart the sandbox.");
}

/** Looks again and again, ever less often, until the family is gone or the time is over. */
async function goneBefore(end: number, family: ProcessFamily, between?: () => Promise<void>): Promise<boolean> {
  for (let pause = FIRST_LOOK_MS; await family.isAlive(); pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
    await between?.();
  }
  return true;
}

async function settledBefore(end: number, event: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(Math.max(0, end - performance.now()), undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([event, timeout]);
  timer.abort();
}
