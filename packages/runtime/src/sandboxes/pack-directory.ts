import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Pack } from "tar-stream";

export interface PackOptions {
  /** Where it is in the archive. Default: at its top. */
  readonly below?: string | undefined;
  /** Names right in the directory that are left out. */
  readonly without?: readonly string[] | undefined;
}

/** Names, sizes and times of what is in a directory; a program that is replaced has others. */
export async function contentOf(directory: string, { without }: Pick<PackOptions, "without"> = {}): Promise<string> {
  const hash = createHash("sha256");
  for await (const { name, stats } of entriesOf(directory, without)) {
    hash.update(JSON.stringify([name, stats.mode, stats.isFile() ? [stats.size, stats.mtimeMs] : []]));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Owned by root and readable by everybody, whoever owns it here. */
export async function packDirectory(
  archive: Pack,
  directory: string,
  { below = "", without }: PackOptions = {},
): Promise<void> {
  for await (const { name: own, stats } of entriesOf(directory, without)) {
    const path = join(directory, own);
    const name = join(below, own);
    const mode = (stats.mode & 0o700) | ((stats.mode & 0o500) >> 3) | ((stats.mode & 0o500) >> 6);
    if (stats.isDirectory()) archive.entry({ name, type: "directory", mode });
    else if (stats.isSymbolicLink()) archive.entry({ name, type: "symlink", linkname: await readlink(path) });
    else if (stats.size <= smallFile) archive.entry({ name, mode }, await readFile(path));
    else await pipeline(createReadStream(path), archive.entry({ name, mode, size: stats.size }));
  }
}

const smallFile = 64 * 1024;

/** Parents before their children, in the order of their names; neither sockets nor pipes, nor what an install holds. */
async function* entriesOf(
  directory: string,
  without: readonly string[] = [],
  below = "",
): AsyncGenerator<{ readonly name: string; readonly stats: Stats }> {
  for (const entry of (await readdir(join(directory, below))).toSorted()) {
    if (entry.endsWith(".lock") || (below === "" && without.includes(entry))) continue;
    const name = join(below, entry);
    const stats = await lstat(join(directory, name));
    if (!stats.isDirectory() && !stats.isFile() && !stats.isSymbolicLink()) continue;
    yield { name, stats };
    if (stats.isDirectory()) yield* entriesOf(directory, without, name);
  }
}
