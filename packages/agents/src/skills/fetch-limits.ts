import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface FetchLimits {
  /** For all of it: what cannot be had in this time cannot be had. */
  readonly timeMs: number;
  /** With what git needs besides. */
  readonly bytes: number;
  readonly lookEveryMs: number;
}

export const defaultLimits: FetchLimits = { timeMs: 60_000, bytes: 256 * 1024 * 1024, lookEveryMs: 500 };

export type Excess = "time" | "size";

/** A signal that is aborted, with an `Excess` as its reason, when one of the limits is passed; `end` stops looking. */
export function watchLimits(folder: string, limits: FetchLimits): { signal: AbortSignal; end(): Promise<void> } {
  const controller = new AbortController();
  let looking = Promise.resolve();
  const look = async () => {
    if ((await bytesIn(folder)) > limits.bytes) controller.abort("size" satisfies Excess);
  };
  const looks = setInterval(() => {
    looking = looking.then(look);
  }, limits.lookEveryMs);
  const end = setTimeout(() => controller.abort("time" satisfies Excess), limits.timeMs);
  return {
    signal: controller.signal,
    async end() {
      clearInterval(looks);
      clearTimeout(end);
      await looking;
      if (!controller.signal.aborted) await look();
    },
  };
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return bytesIn(path);
      return lstat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
