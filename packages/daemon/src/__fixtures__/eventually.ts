import { setTimeout as sleep } from "node:timers/promises";

const pauseMs = 20;

/** Look again until it holds, for what another process does unseen; fails with the last reason. */
export async function eventually<T>(look: () => T | Promise<T>, limitMs = 60_000): Promise<T> {
  const end = performance.now() + limitMs;
  while (true) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(pauseMs);
    }
  }
}
