import type { Journal } from "./journal.ts";

const newline = 10;
/** Below this distance a look at every line is cheaper than another jump. */
const scanBytes = 64 * 1024;
const probeBytes = 4 * 1024;
const longProbeBytes = 1024 * 1024;
const prefixBytes = 256;

/**
 * Where the first line with a sequence above `after` begins. The journal is its own index: lines are in order and carry
 * their number in front, so a binary search finds any place in a few reads, without an index to build or to keep.
 */
export async function locate(
  journal: Journal,
  after: number,
  sequenceOf: (lineStart: string) => number | undefined,
): Promise<number> {
  let low = 0;
  let high = journal.size;
  while (high - low > scanBytes) {
    const middle = low + Math.floor((high - low) / 2);
    let start = await nextLineStart(journal, middle, high);
    let sequence = start === undefined ? undefined : await sequenceAt(journal, start, sequenceOf);
    // A damaged line says nothing about the place of others.
    while (start !== undefined && sequence === undefined) {
      start = await nextLineStart(journal, start, high);
      sequence = start === undefined ? undefined : await sequenceAt(journal, start, sequenceOf);
    }
    if (start === undefined || (sequence !== undefined && sequence > after)) high = middle;
    else low = start;
  }
  return scan(journal, low, after, sequenceOf);
}

async function scan(
  journal: Journal,
  from: number,
  after: number,
  sequenceOf: (lineStart: string) => number | undefined,
): Promise<number> {
  let base = from;
  while (base < journal.size) {
    const block = (await journal.read(base, scanBytes + prefixBytes)).toString("latin1");
    let start = 0;
    while (start < Math.min(scanBytes, block.length)) {
      const sequence = sequenceOf(block.slice(start, start + prefixBytes));
      if (sequence !== undefined && sequence > after) return base + start;
      const end = block.indexOf("\n", start);
      if (end === -1) break;
      start = end + 1;
    }
    base = start > 0 ? base + start : ((await nextLineStart(journal, base, journal.size)) ?? journal.size);
  }
  return base;
}

/** The number of the line that begins at a place; undefined when it has none. */
export async function sequenceAt(
  journal: Journal,
  start: number,
  sequenceOf: (lineStart: string) => number | undefined,
): Promise<number | undefined> {
  return sequenceOf((await journal.read(start, prefixBytes)).toString("latin1"));
}

/** Where the first line begins after the newline at or after `position`; undefined when there is none before `end`. */
export async function nextLineStart(journal: Journal, position: number, end: number): Promise<number | undefined> {
  let length = probeBytes;
  for (let at = position; at < end; at += length, length = Math.min(length * 4, longProbeBytes)) {
    const found = (await journal.read(at, length)).indexOf(newline);
    if (found !== -1) return at + found + 1 < end ? at + found + 1 : undefined;
  }
  return undefined;
}
