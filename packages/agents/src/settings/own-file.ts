import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { temporaryName } from "../install/write-whole.ts";

/** Only the owner may look: settings can hold secrets. */
const PRIVATE_FILE = 0o600;

/** A file of ours for a program to read. Sessions that have the same to say share one. */
export interface OwnFile {
  readonly path: string;
  readonly text: string;
}

/** Pure: nothing is written yet. */
export function ownFile(folder: string, name: string, text: string): OwnFile {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const { name: stem, ext } = parse(name);
  return { path: join(folder, `${stem}-${digest}${ext}`), text };
}

/** May be in use already: it is whole at any time. */
export async function writeOwnFile({ path, text }: OwnFile): Promise<string> {
  const draft = temporaryName(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, text, { mode: PRIVATE_FILE });
  await rename(draft, path);
  return path;
}
