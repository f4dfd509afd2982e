import { lstat, rename, rmdir, unlink } from "node:fs/promises";
import type { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { temporaryName } from "./write-file.ts";

/** Each level that is worked in holds a descriptor. */
const maxDepth = 32;

/** Deletes whatever has this name, with all that is in it; symlinks go, what they point to stays. */
export async function removeTree(parent: HeldDirectory, name: string | Buffer): Promise<void> {
  if (!(await isDirectory(parent, name))) return unlink(parent.at(name));
  const top = await parent.child(name);
  try {
    let hoisted: boolean;
    do {
      hoisted = false;
      for (const inner of await top.names()) {
        if (await removeWithin(top, inner, top, 1)) hoisted = true;
      }
    } while (hoisted);
  } finally {
    await top.close();
  }
  await rmdir(parent.at(name));
}

/** Moves what is too deep to the top, to be deleted in the next round, and answers whether there was any. */
async function removeWithin(
  directory: HeldDirectory,
  name: Buffer,
  top: HeldDirectory,
  depth: number,
): Promise<boolean> {
  if (!(await isDirectory(directory, name))) {
    await unlink(directory.at(name));
    return false;
  }
  if (depth === maxDepth) {
    await rename(directory.at(name), top.at(temporaryName()));
    return true;
  }
  let hoisted = false;
  const inner = await directory.child(name);
  try {
    for (const next of await inner.names()) {
      if (await removeWithin(inner, next, top, depth + 1)) hoisted = true;
    }
  } finally {
    await inner.close();
  }
  await rmdir(directory.at(name));
  return hoisted;
}

async function isDirectory(parent: HeldDirectory, name: string | Buffer): Promise<boolean> {
  return (await lstat(parent.at(name))).isDirectory();
}
