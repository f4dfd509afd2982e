import { constants } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";

interface ReadParams {
  readonly path?: string;
  /** The first line, counted from 1. */
  readonly line?: number | null;
  /** How many lines. */
  readonly limit?: number | null;
}

/** A file the agent wants to read through us. It could read it itself: it runs as the same user. */
export async function readTextFile({ path = "", line, limit }: ReadParams): Promise<{ content: string }> {
  const content = await readRegularText(path);
  if (!line && !limit) return { content };
  const first = Math.max(0, (line ?? 1) - 1);
  const lines = content.split(/(?<=\n)/);
  return { content: lines.slice(first, limit ? first + limit : undefined).join("") };
}

/** A pipe that nobody reads is refused instead of waited for. */
const writeFlag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0);

export async function writeTextFile({ path = "", content = "" }: { path?: string; content?: string }): Promise<object> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { flag: writeFlag });
  return {};
}
