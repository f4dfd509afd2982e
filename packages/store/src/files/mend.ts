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
  /** How many before the last of them did not. */
  damaged: number;
}

/**
 * Walk the lines of a journal from a place known to be a line's start, and cut it behind the last one that `accept`
 * expects: a crash can leave half a line, a power cut can leave garbage. `accept` is told how many bytes of lines that it
 * did not expect are right before. Whole lines that are cut off are kept in a file beside the journal.
 */
export async function mendJournal(
  path: string,
  size: number,
  from: number,
  accept: (line: WalkedLine, damagedBytes: number) => boolean,
): Promise<Mended> {
  if (from === size) return { size, lines: 0, damaged: 0 };
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
  accept: (line: WalkedLine, damagedBytes: number) => boolean,
): Promise<Mended> {
  const mended: Mended = { size: range[0], lines: 0, damaged: 0 };
  let position = range[0];
  let skipped = 0;
  for await (const walked of walkLines((at, length) => readAt(file, at, length), range, maxParsedBytes)) {
    for (const line of walked) {
      const isAccepted = accept(line, position - mended.size);
      position += line.length + 1;
      if (isAccepted) {
        mended.size = position;
        mended.lines += 1;
        mended.damaged += skipped;
        skipped = 0;
      } else {
        skipped += 1;
      }
    }
  }
  return mended;
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
