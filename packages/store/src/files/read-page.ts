import type { EventPage, PageRequest } from "../event-store.ts";
import type { Journal } from "./journal.ts";

const newline = 10;

/**
 * Whole lines from a position on: about `maxBytes`, at most `maxEvents`, at least one if there is any. A line longer than
 * that comes alone, so that a reader who stops there holds no more than it.
 */
export async function readPage(
  journal: Journal,
  position: number,
  after: number,
  request: PageRequest,
): Promise<EventPage> {
  let length = request.maxBytes;
  while (true) {
    const bytes = await journal.read(position, length);
    const lines = wholeLines(bytes, length > request.maxBytes ? 1 : request.maxEvents);
    if (lines.count > 0 || bytes.length < length) {
      return {
        first: after + 1,
        count: lines.count,
        lines: bytes.subarray(0, lines.end),
        next: position + lines.end,
      };
    }
    length *= 4;
  }
}

function wholeLines(bytes: Buffer, maximum: number): { count: number; end: number } {
  let count = 0;
  let end = 0;
  while (count < maximum) {
    const found = bytes.indexOf(newline, end);
    if (found === -1) break;
    end = found + 1;
    count += 1;
  }
  return { count, end };
}
