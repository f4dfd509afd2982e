import { constants } from "node:fs";
import { appendFile, type FileHandle, open } from "node:fs/promises";
import { type WalkedLine, walkLines } from "./walk-lines.ts";

const newline = 10;
const blockBytes = 1024 * 1024;
/** A longer line is judged by its beginning: to parse it would take more memory than there may be. */
const maxParsedBytes = 32 * 1024 * 1024;

export interface Mended {
  /** Bytes that are whole lines. */
  size: number;
  /** How many lines passed the check. */
  lines: number;
}

/**
 * Walk the lines of a journal from a place known to be a line's start, and cut it where a line is torn or is not what
 * `accept` expects: a crash can leave half a line, a power cut can leave garbage. Whole lines that are cut off are kept
 * in a file beside the journal.
 */
export async function mendJournal(
  path: string,
  size: number,
  from: number,
  accept: (line: WalkedLine, index: number) => boolean,
): Promise<Mended> {
  if (from === size) return { size, lines: 0 };
  const file = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    const mended = await acceptedLines(file, [from, size], accept);
    if (mended.size < size) await cut(file, path, [mended.size, size]);
    return mended;
  } finally {
    await file.close();
  }
}

async function acceptedLines(
  file: FileHandle,
  range: readonly [number, number],
  accept: (line: WalkedLine, index: number) => boolean,
): Promise<Mended> {
  let [size] = range;
  let lines = 0;
  for await (const walked of walkLines((position, length) => readAt(file, position, length), range, maxParsedBytes)) {
    for (const line of walked) {
      if (!accept(line, lines)) return { size, lines };
      lines += 1;
      size += line.length + 1;
    }
  }
  return { size, lines };
}

async function cut(file: FileHandle, path: string, [from, to]: readonly [number, number]): Promise<void> {
  if (await hasNewline(file, from, to)) {
    for (let position = from; position < to; position += blockBytes) {
      const block = await readAt(file, position, Math.min(blockBytes, to - position));
      await appendFile(`${path}.cut`, block, { mode: 0o600 });
    }
  }
  await file.truncate(from);
}

async function hasNewline(file: FileHandle, from: number, to: number): Promise<boolean> {
  for (let position = from; position < to; position += blockBytes) {
    const block = await readAt(file, position, Math.min(blockBytes, to - position));
    if (block.includes(newline)) return true;
  }
  return false;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
