import { randomBytes } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

const temporaryMark = ".partial-";
const halfMark = `${temporaryMark}download`;

/** A name beside the file that nobody else has, known as unfinished by `isTemporary`. */
export function temporaryName(path: string): string {
  return `${path}${temporaryMark}${randomBytes(6).toString("hex")}`;
}

/** Where a download of this file stands that may be continued: always the same names, and who holds the lock may write. */
export function halfOf(path: string): { readonly bytes: string; readonly validator: string; readonly lock: string } {
  const bytes = `${path}${halfMark}`;
  return { bytes, validator: `${bytes}.validator`, lock: `${bytes}.lock` };
}

export function isTemporary(name: string): boolean {
  return name.includes(temporaryMark);
}

/** No download is silent for so long. */
const silentMs = 10 * 60 * 1000;
/** So long a download that was cut off can be continued. */
const continuableMs = 24 * 60 * 60 * 1000;

/** What lies beside a half download: not a thing of its own. */
export function isBesideHalf(name: string): boolean {
  return /\.(validator|lock.*)$/.test(name.split(halfMark)[1] ?? "");
}

export const isSilent = (changedAt: number): boolean => Date.now() - changedAt > silentMs;

/** Nobody writes this temporary file any more, or will continue it. */
export function isDead(path: string, changedAt: number): boolean {
  if (!isTemporary(basename(path))) return false;
  return basename(path).includes(halfMark) ? Date.now() - changedAt > continuableMs : isSilent(changedAt);
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
