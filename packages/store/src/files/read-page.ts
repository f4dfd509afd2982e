import type { EventPage, PageRequest } from "../event-store.ts";
import type { Journal } from "./journal.ts";

const newline = 10;
/** The end of a line, `}` and its newline, is never torn apart. */
const endBytes = 2;

/**
 * Whole lines from a position on: about `maxBytes`, at most `maxEvents`, at least one if there is any. A line longer than
 * that comes alone, and one longer than `maxLineBytes` in parts, so that a reader who stops there holds no more than one.
 */
export async function readPage(
  journal: Journal,
  position: number,
  request: PageRequest,
): Promise<Omit<EventPage, "first">> {
  const { maxBytes, maxLineBytes = Number.POSITIVE_INFINITY } = request;
  const maxEvents = request.isInside ? 1 : request.maxEvents;
  let length = Math.min(maxBytes, maxLineBytes);
  while (true) {
    const bytes = await journal.read(position, length);
    const lines = wholeLines(bytes, length > maxBytes ? 1 : maxEvents);
    if (lines.count > 0 || bytes.length < length) {
      return { count: lines.count, lines: bytes.subarray(0, lines.end), next: position + lines.end };
    }
    if (length === maxLineBytes) {
      const part = bytes.subarray(0, -endBytes);
      return { count: 0, lines: part, next: position + part.length };
    }
    length = Math.min(length * 4, maxLineBytes);
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
