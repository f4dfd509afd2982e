import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readRegularText } from "../files/read-regular-file.ts";
import { syncDirectory } from "./write-whole.ts";

/** The files of an unpacked package: their paths inside it, and the SHA-256 of each in base64. */
export type UnpackedFiles = ReadonlyMap<string, string>;

export const fileListOf = (folder: string) => `${folder}.files.json`;

export async function writeFileList(folder: string, files: UnpackedFiles): Promise<void> {
  await writeFile(fileListOf(folder), JSON.stringify(Object.fromEntries(files)), { flag: "wx" });
}

/** What is listed for this folder, if every file of it is there and unchanged. */
export async function readIntactFiles(folder: string): Promise<UnpackedFiles | undefined> {
  try {
    const files = new Map(
      Object.entries(JSON.parse(await readRegularText(fileListOf(folder))) as Record<string, string>),
    );
    for (const [name, digest] of files) if ((await digestOf(join(folder, name))) !== digest) return undefined;
    return files;
  } catch {
    return undefined;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}

/**
 * Puts these files into another folder as well, without their bytes being stored twice. `orCopy`: where the file system
 * cannot do that, e.g. because the folder is on another one, they are copied; else it fails.
 */
export async function linkFiles(
  files: UnpackedFiles,
  from: string,
  to: string,
  { orCopy }: { readonly orCopy: boolean },
): Promise<void> {
  const folders = new Set<string>();
  for (const name of files.keys()) {
    const target = join(to, name);
    if (!folders.has(dirname(target))) await mkdir(dirname(target), { recursive: true });
    folders.add(dirname(target));
    await link(join(from, name), target).catch((error: NodeJS.ErrnoException) => {
      if (!orCopy || error.code === "ENOENT" || error.code === "EEXIST") throw error;
      return copyFile(join(from, name), target, constants.COPYFILE_FICLONE);
    });
  }
  for (const folder of folders) await syncDirectory(folder);
}
