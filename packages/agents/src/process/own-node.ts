import { randomBytes } from "node:crypto";
import { mkdir, readlink, rename, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { isSea } from "node:sea";

/**
 * The Node that this code runs in, to run scripts with; undefined when it can run none. The single executable can if it is
 * called `node`, which it is by a link in this folder, made here, or set right when the executable has moved.
 */
export async function ownNode(
  linkFolder: string,
  { isSingle, path }: Runtime = thisRuntime(),
): Promise<string | undefined> {
  if (!isSingle) return /^node(js)?(\.exe)?$/i.test(basename(path)) ? path : undefined;
  const link = join(linkFolder, "node");
  if ((await readlink(link).catch(() => undefined)) === path) return link;
  await mkdir(linkFolder, { recursive: true });
  const temporary = `${link}.${randomBytes(6).toString("hex")}`;
  await symlink(path, temporary);
  await rename(temporary, link);
  return link;
}

interface Runtime {
  readonly isSingle: boolean;
  readonly path: string;
}

function thisRuntime(): Runtime {
  return { isSingle: isSea(), path: process.execPath };
}
