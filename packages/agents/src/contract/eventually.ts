import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 30;
const LIMIT_MS = 60_000;

/** Look again until it holds, for what another process does unseen; fails with the last reason. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
