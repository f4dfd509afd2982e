import { lstat, rmdir, unlink } from "node:fs/promises";
import { type FsActionResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { errnoOf, shown } from "./fs-problem.ts";
import { refuseRoot } from "./jail.ts";
import { removeTree } from "./remove-tree.ts";
import { type Entry, withEntry } from "./with-entry.ts";

/** Deletes a file, a symlink (not its target), or a directory; one with something in it only when `recursive`. */
export function deleteEntry(access: FileAccess, target: FileTarget, recursive: boolean): Promise<FsActionResponse> {
  return withEntry(access, target, { symlink: "itself", parents: "expect", admit: refuseRoot }, async (entry) => {
    if (recursive) await removeTree(entry.directory, entry.name);
    else await removeOne(entry, target.path);
    return { path: entry.path };
  });
}

async function removeOne({ directory, name }: Entry, asked: string): Promise<void> {
  const at = directory.at(name);
  if (!(await lstat(at)).isDirectory()) return unlink(at);
  await rmdir(at).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOTEMPTY" && errnoOf(error) !== "EEXIST") throw error;
    const sentence = `${shown(asked)} is a directory with something in it. Pass recursive=true to delete it all.`;
    throw new SandboxError("invalid_request", sentence, { cause: error });
  });
}
