import { type FsChange, SandboxError } from "@sandbox-agent-ts/protocol";
import type { OpenDirectory } from "./open-directory.ts";
import { PendingChanges } from "./pending-changes.ts";
import { TreeWatch, type WatchLimits, watchLimits } from "./watch-tree.ts";

/** Each costs memory and watches. */
const maxFollowers = 16;
let followers = 0;

/** What happens below a directory until the signal ends it. */
export async function* followChanges(
  openRoot: () => OpenDirectory,
  signal: AbortSignal,
  limits: WatchLimits = watchLimits,
): AsyncGenerator<readonly FsChange[], void, undefined> {
  const pending = new PendingChanges();
  const tree = new TreeWatch(openRoot(), pending, limits);
  followers += 1;
  try {
    await tree.start();
    yield [{ type: "ready" }];
    while (!signal.aborted) {
      const changes = await pending.take(signal);
      if (changes.length > 0) yield changes;
    }
  } finally {
    followers -= 1;
    await tree.close();
  }
}

export function refuseTooManyFollowers(): void {
  if (followers < maxFollowers) return;
  const sentence = `${maxFollowers} streams of file changes are open. Close one, or share it.`;
  throw new SandboxError("too_many_requests", sentence);
}
