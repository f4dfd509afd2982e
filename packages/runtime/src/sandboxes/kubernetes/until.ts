import { setTimeout as delay } from "node:timers/promises";

const firstPauseMs = 50;
const longestPauseMs = 1_000;
const pausesGrowBy = 1.5;

/** Look until it holds; false where the time was over before. */
export async function until(holds: () => Promise<boolean>, withinMs: number, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * pausesGrowBy, longestPauseMs)) {
    signal?.throwIfAborted();
    if (await holds()) return true;
    if (performance.now() > deadline) return false;
    await delay(pause, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}
