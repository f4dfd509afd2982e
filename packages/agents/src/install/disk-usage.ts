import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file on the disk, which may have several names. */
export interface DiskFile {
  readonly path: string;
  readonly bytes: number;
  /** The same for all names of one file. */
  readonly id: string;
  /** How many names it has, also where nobody looked. */
  readonly names: number;
}

/** Every file below this path; none where there is nothing. Links are not followed. */
export async function listFiles(path: string): Promise<DiskFile[]> {
  try {
    const found = await lstat(path);
    if (!found.isDirectory()) {
      return [{ path, bytes: found.size, id: `${found.dev}:${found.ino}`, names: found.nlink }];
    }
    const names = await readdir(path);
    return (await Promise.all(names.map((name) => listFiles(join(path, name))))).flat();
  } catch (error) {
    // It may be removed while we look.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** What they take, each file once. */
export function bytesOf(files: readonly DiskFile[]): number {
  return [...new Map(files.map((file) => [file.id, file.bytes])).values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** What becomes free when all these names are removed: a file that has another name stays. */
export function freedBy(files: readonly DiskFile[]): number {
  const names = new Map<string, Set<string>>();
  for (const { id, path } of files) names.set(id, (names.get(id) ?? new Set()).add(path));
  return bytesOf(files.filter((file) => names.get(file.id)?.size === file.names));
}
