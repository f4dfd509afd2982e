import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { EventText } from "@sandbox-agent-ts/sdk";
import { entryOf, type LogEntry } from "./encode-event.ts";

/** What a sandbox sends is not what a daemon would: nothing more is taken from it. */
export class UntrustedSandbox extends Error {
  override readonly name = "UntrustedSandbox";
}

type DeltaEvent = Extract<UniversalEvent, { type: "item.delta" }>;
type DeltaEntry = Extract<LogEntry, { type: "item.delta" }>;

/** A delta that was validated, as the text that the next one of the same item has around its own if it comes from a daemon. */
interface KnownDelta {
  /** Up to the number in the event's id. */
  readonly start: string;
  /** From behind the time to where the delta begins. */
  readonly middle: string;
  readonly entry: Omit<DeltaEntry, "data" | "raw" | "body" | "time">;
  readonly data: Omit<DeltaEntry["data"], "delta">;
}

/**
 * Validates the events of one session that a sandbox sends. Nearly all are deltas that differ in nothing but their number,
 * time and text from the one before: of such a one only that is looked at, and its text is taken over instead of being made anew.
 * Every other event is parsed and compared with its schema.
 */
export class EventReader {
  readonly #sessionId: string;
  readonly #time = new TimeReader();
  #known: KnownDelta | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Undefined for the start of the session, of which the runtime's log has its own. */
  read(event: EventText): LogEntry | undefined {
    return (this.#known && readDelta(this.#known, event, this.#time)) ?? this.#readAny(event);
  }

  #readAny({ sequence, text }: EventText): LogEntry | undefined {
    const event = validated(text, this.#sessionId);
    if (event.sequence !== sequence) {
      throw new UntrustedSandbox(`The sandbox sent event ${event.sequence} under the number ${sequence}.`);
    }
    if (event.type === "item.delta") this.#known = knownDelta(event);
    return event.type === "session.started" ? undefined : entryOf(event);
  }
}

function validated(text: string, sessionId: string): UniversalEvent {
  const result = UniversalEvent.safeParse(parsed(text));
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = issue?.path.join(".") || "event";
    throw new UntrustedSandbox(`The sandbox sent an event that is not valid (${where}: ${issue?.message}).`);
  }
  if (result.data.session_id !== sessionId) {
    throw new UntrustedSandbox("The sandbox sent an event of another session.");
  }
  return result.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UntrustedSandbox("The sandbox sent an event that is not JSON.");
  }
}

function knownDelta(event: DeltaEvent): KnownDelta | undefined {
  const { event_id, sequence, session_id, data } = event;
  const { data: _, raw: __, time: ___, ...entry } = entryOf(event) as DeltaEntry;
  if (!event_id.endsWith(`_${sequence}`)) return undefined;
  const { delta: ____, ...rest } = data;
  const fields = JSON.stringify(rest).slice(1, -1);
  return {
    start: JSON.stringify({ event_id: event_id.slice(0, -`${sequence}`.length) }).slice(0, -2),
    middle:
      `","session_id":${JSON.stringify(session_id)},` +
      `"native_session_id":${JSON.stringify(entry.nativeSessionId)},"source":"${entry.source}",` +
      `"synthetic":${entry.synthetic},"type":"item.delta","data":{${fields},"delta":`,
    entry,
    data: rest,
  };
}

const timeStart = ',"time":"';
const payloadStart = '},"raw":';
/** As daemons write the time. */
const timeLength = "2026-01-01T00:00:00.000Z".length;

/** Undefined where the event is another, or not written as daemons write it. */
function readDelta(known: KnownDelta, { sequence, text }: EventText, time: TimeReader): LogEntry | undefined {
  const { start, middle, entry, data } = known;
  // Comparing slices costs a fraction of `startsWith`.
  const head = `${start}${sequence}","sequence":${sequence}${timeStart}`;
  const timeAt = head.length;
  const middleAt = timeAt + timeLength;
  const from = middleAt + middle.length;
  if (text.slice(0, timeAt) !== head || text.slice(middleAt, from) !== middle) return undefined;
  const when = time.read(text.slice(timeAt, middleAt));
  if (when === undefined) return undefined;
  const end = endOfString(text, from);
  const delta = end === -1 ? undefined : parsedOrNothing(text.slice(from, end));
  if (typeof delta !== "string") return undefined;
  let raw: string | undefined;
  if (text.length !== end + 2 || text.slice(end) !== "}}") {
    if (text.slice(end, end + payloadStart.length) !== payloadStart || !text.endsWith("}")) return undefined;
    raw = text.slice(end + payloadStart.length, -1);
    // In JSON a line may end between two words, and the journal of payloads has one line for each.
    if (raw.includes("\n")) return undefined;
    const payload = parsedOrNothing(raw);
    if (payload === undefined) return undefined;
    if (payload === null) raw = undefined;
  }
  const { type, source, synthetic, nativeSessionId } = entry;
  const body = `${text.slice(timeAt - timeStart.length, end)}}}`;
  const read = { type, data: { ...data, delta }, source, synthetic, time: when, nativeSessionId, body };
  return (raw === undefined ? read : { ...read, raw }) as LogEntry;
}

/** Knows the time of the event before, which is nearly always that of the next one. */
class TimeReader {
  #last = "";

  /** The time, as a string of its own; undefined where it is none. */
  read(text: string): string | undefined {
    if (text === this.#last) return this.#last;
    if (!UniversalEvent.options[0].shape.time.safeParse(text).success) return undefined;
    this.#last = text;
    return text;
  }
}

/** Where the string ends that begins here, whatever it is worth; -1 where none does. */
function endOfString(text: string, from: number): number {
  if (text[from] !== '"') return -1;
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return -1;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
