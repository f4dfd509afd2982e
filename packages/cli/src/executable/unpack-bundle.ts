import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAsset } from "node:sea";

const folderName = /^[0-9a-f]{16}$/;
/** Sandboxes of an older executable may still start from theirs. */
const keepOldMs = 30 * 24 * 60 * 60_000;

/**
 * The CLI's bundle that is inside of the executable, as files: what sandboxes are given to run. A folder per contents, which
 * is there whole or not at all; those that were not used for a month are removed.
 */
export function unpackBundle(directory: string): string {
  const names = JSON.parse(getAsset("parts.json", "utf8")) as string[];
  const files = names.map((name) => [name, Buffer.from(getAsset(name))] as const);
  const hash = createHash("sha256");
  for (const [name, bytes] of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  const id = hash.digest("hex").slice(0, 16);
  const place = join(directory, id);
  if (!existsSync(place)) writeFolder(place, files);
  utimesSync(place, new Date(), new Date());
  for (const other of readdirSync(directory).filter((name) => folderName.test(name) && name !== id)) {
    const path = join(directory, other);
    if (Date.now() - statSync(path).mtimeMs > keepOldMs) rmSync(path, { recursive: true, force: true });
  }
  return place;
}

function writeFolder(place: string, files: readonly (readonly [name: string, bytes: Buffer])[]): void {
  const half = `${place}.${randomBytes(6).toString("hex")}`;
  for (const [name, bytes] of files) {
    const path = join(half, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  try {
    renameSync(half, place);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Somebody else was faster.
    if (!existsSync(place)) throw error;
  }
}
