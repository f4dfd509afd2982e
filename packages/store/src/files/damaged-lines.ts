import { sequenceOf } from "../event-encoder.ts";
import type { EventPage, PageRequest } from "../event-store.ts";
import type { Journal } from "./journal.ts";
import { parseLine } from "./line-checks.ts";
import { nextLineStart, sequenceAt } from "./locate.ts";

const newline = 10;
const prefixBytes = 256;
const idPattern = /^\{"event_id":"(evt_[^"]*_)\d+",/;
/** Of a long damaged stretch so many events at a time. */
const maxNotices = 1000;

type Lines = Pick<EventPage, "lines" | "count">;

/**
 * How many lines of a page are the events that they should be, in bytes and in number. Numbers are compared always; with
 * `parse` the lines are parsed as well.
 */
export function soundLines({ lines, count }: Lines, after: number, parse: boolean): { count: number; end: number } {
  const id = idPattern.exec(lines.toString("latin1", 0, prefixBytes))?.[1];
  if (id === undefined) return { count: 0, end: 0 };
  let end = 0;
  for (let n = 0; n < count; n++) {
    const sequence = after + 1 + n;
    const expected = `{"event_id":"${id}${sequence}","sequence":${sequence},`;
    const next = lines.indexOf(newline, end) + 1;
    const isSound = lines.toString("latin1", end, end + expected.length) === expected;
    if (!isSound || (parse && parseLine(lines.subarray(end, next)) === undefined)) return { count: n, end };
    end = next;
  }
  return { count, end };
}

/** Whether a part of a long line is the beginning of this event. */
export function beginsEvent({ lines }: Lines, sequence: number): boolean {
  return sequenceOf(lines.toString("latin1", 0, prefixBytes)) === sequence;
}

/**
 * In place of the damaged events that begin at a position: an error for each, up to the next event that is whole. Without
 * any where the damage is only between two events; `next` is where it ends.
 */
export async function damagedPage(
  { sessionId, events, head }: { sessionId: string; events: Journal; head: number },
  position: number,
  after: number,
  { maxEvents }: PageRequest,
): Promise<EventPage> {
  const next = await nextSound(events, position, after, head);
  const through = Math.min(next.sequence - 1, after + Math.min(maxEvents, maxNotices));
  let lines = "";
  for (let sequence = after + 1; sequence <= through; sequence++) lines += `${notice(sessionId, sequence)}\n`;
  const page = { first: after + 1, count: through - after, lines: Buffer.from(lines) };
  return through === next.sequence - 1 ? { ...page, next: next.position } : page;
}

async function nextSound(events: Journal, position: number, after: number, head: number) {
  for (let at: number | undefined = position; at !== undefined; at = await nextLineStart(events, at, events.size)) {
    const sequence = (await sequenceAt(events, at, sequenceOf)) ?? 0;
    const isFailed = at === position && sequence === after + 1;
    if (sequence > after && sequence <= head && !isFailed) return { sequence, position: at };
  }
  return { sequence: head + 1, position: events.size };
}

function notice(sessionId: string, sequence: number): string {
  const message = `Event ${sequence} is damaged in the log and cannot be shown.`;
  return JSON.stringify({
    event_id: `evt_damaged_${sequence}`,
    sequence,
    time: new Date(0).toISOString(),
    session_id: sessionId,
    native_session_id: null,
    source: "daemon",
    synthetic: true,
    type: "error",
    data: { message, code: "internal_error" },
  });
}
