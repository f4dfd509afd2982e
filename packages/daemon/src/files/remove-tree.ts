import { lstat, rmdir, unlink } from "node:fs/promises";
import type { HeldDirectory } from "./held-directory.ts";

/** Deletes whatever has this name, with all that is in it; symlinks go, what they point to stays. */
export async function removeTree(parent: HeldDirectory, name: string | Buffer): Promise<void> {
  if (!(await lstat(parent.at(name))).isDirectory()) return unlink(parent.at(name));
  const directory = await parent.child(name);
  try {
    for (const inner of await directory.names()) await removeTree(directory, inner);
  } finally {
    await directory.close();
  }
  await rmdir(parent.at(name));
}
