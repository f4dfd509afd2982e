import { appendFileSync, closeSync, ftruncateSync, openSync, readSync } from "node:fs";

const newline = 10;
const blockBytes = 1024 * 1024;

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
export function mendJournal(
  path: string,
  size: number,
  from: number,
  accept: (line: Buffer, index: number) => boolean,
): Mended {
  if (from === size) return { size, lines: 0 };
  const descriptor = openSync(path, "r+");
  try {
    let good = from;
    let lines = 0;
    let rest: Buffer = Buffer.alloc(0);
    let position = from;
    while (position < size) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, size - position));
      position += readSync(descriptor, block, 0, block.length, position);
      const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
      let start = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        if (!accept(bytes.subarray(start, end), lines)) return cut(descriptor, path, size, good, lines);
        lines += 1;
        good += end + 1 - start;
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
    return good === size ? { size, lines } : cut(descriptor, path, size, good, lines);
  } finally {
    closeSync(descriptor);
  }
}

function cut(descriptor: number, path: string, size: number, good: number, lines: number): Mended {
  const lost = Buffer.alloc(size - good);
  readSync(descriptor, lost, 0, lost.length, good);
  if (lost.includes(newline)) appendFileSync(`${path}.cut`, lost);
  ftruncateSync(descriptor, good);
  return { size: good, lines };
}
