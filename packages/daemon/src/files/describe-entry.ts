import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import type { FsStat } from "@sandbox-agent-ts/protocol";
import { isInsideAny } from "./jail.ts";

/**
 * What a client learns about an entry. A symlink is described as what it points to while that is inside the roots; one
 * that leads out or nowhere is a file of the link's own size. Sockets, pipes and devices are files too.
 */
export async function describeEntry(at: string | Buffer, path: string, roots: readonly string[]): Promise<FsStat> {
  const own = await lstat(at);
  const stats = own.isSymbolicLink() ? ((await targetInside(at, roots)) ?? own) : own;
  return {
    path,
    entryType: stats.isDirectory() ? "directory" : "file",
    size: stats.size,
    modified: modified(stats),
  };
}

async function targetInside(at: string | Buffer, roots: readonly string[]): Promise<Stats | undefined> {
  try {
    const real = await realpath(at);
    return isInsideAny(roots, real) ? await lstat(real) : undefined;
  } catch {
    return undefined;
  }
}

/** A file can carry a time no date can hold; that must not spoil the listing of its directory. */
function modified(stats: Stats): string | null {
  return Number.isNaN(stats.mtime.getTime()) ? null : stats.mtime.toISOString();
}
