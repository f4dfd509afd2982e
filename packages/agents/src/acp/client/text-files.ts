import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface ReadParams {
  readonly path?: string;
  /** The first line, counted from 1. */
  readonly line?: number | null;
  /** How many lines. */
  readonly limit?: number | null;
}

/** A file the agent wants to read through us. It could read it itself: it runs as the same user. */
export async function readTextFile({ path = "", line, limit }: ReadParams): Promise<{ content: string }> {
  const content = await readFile(path, "utf8");
  if (!line && !limit) return { content };
  const first = Math.max(0, (line ?? 1) - 1);
  const lines = content.split(/(?<=\n)/);
  return { content: lines.slice(first, limit ? first + limit : undefined).join("") };
}

export async function writeTextFile({ path = "", content = "" }: { path?: string; content?: string }): Promise<object> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return {};
}
