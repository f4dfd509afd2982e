import { randomBytes } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const temporaryMark = ".partial-";

/** A name beside the file that nobody else has, known as unfinished by `isTemporary`. */
export function temporaryName(path: string): string {
  return `${path}${temporaryMark}${randomBytes(6).toString("hex")}`;
}

export function isTemporary(name: string): boolean {
  return name.includes(temporaryMark);
}

/** The file is there with all these bytes, also after a power cut, or it is as it was before. */
export async function writeWhole(path: string, pieces: string | AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await writeFile(file, pieces);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
