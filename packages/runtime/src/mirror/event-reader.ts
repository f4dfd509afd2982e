import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { EventText } from "@sandbox-agent-ts/sdk";
import { entryOf, type LogEntry } from "./encode-event.ts";

/** What a sandbox sends is not what a daemon would: nothing more is taken from it. */
export class UntrustedSandbox extends Error {
  override readonly name = "UntrustedSandbox";
}

type DeltaEvent = Extract<UniversalEvent, { type: "item.delta" }>;
type DeltaEntry = Extract<LogEntry, { type: "item.delta" }>;

/** A delta that was validated, as the text that the next one of the same item begins with if it comes from a daemon. */
interface KnownDelta {
  /** Up to the number in the event's id. */
  readonly start: string;
  /** From behind the sequence to where the delta begins. */
  readonly middle: string;
  readonly entry: Omit<DeltaEntry, "data" | "raw" | "body">;
  readonly data: Omit<DeltaEntry["data"], "delta">;
}

/**
 * Validates the events of one session that a sandbox sends. Nearly all are deltas that differ in nothing but their number
 * and text from the one before: of such a one only that is looked at, and its text is taken over instead of being made anew.
 * Every other event is parsed and compared with its schema.
 */
export class EventReader {
  readonly #sessionId: string;
  #known: KnownDelta | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Undefined for the start of the session, of which the runtime's log has its own. */
  read(event: EventText): LogEntry | undefined {
    return (this.#known && readDelta(this.#known, event)) ?? this.#readAny(event);
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
  const { data: _, raw: __, ...entry } = entryOf(event) as DeltaEntry;
  if (!event_id.endsWith(`_${sequence}`)) return undefined;
  const { delta: ___, ...rest } = data;
  const fields = JSON.stringify(rest).slice(1, -1);
  return {
    start: JSON.stringify({ event_id: event_id.slice(0, -`${sequence}`.length) }).slice(0, -2),
    middle:
      `,"time":${JSON.stringify(entry.time)},"session_id":${JSON.stringify(session_id)},` +
      `"native_session_id":${JSON.stringify(entry.nativeSessionId)},"source":"${entry.source}",` +
      `"synthetic":${entry.synthetic},"type":"item.delta","data":{${fields},"delta":`,
    entry,
    data: rest,
  };
}

const payloadStart = '},"raw":';

/** Undefined where the event is another, or not written as daemons write it. */
function readDelta({ start, middle, entry, data }: KnownDelta, { sequence, text }: EventText): LogEntry | undefined {
  const head = `${start}${sequence}","sequence":${sequence}`;
  if (!text.startsWith(head) || !text.startsWith(middle, head.length)) return undefined;
  const from = head.length + middle.length;
  const end = endOfString(text, from);
  const delta = end === -1 ? undefined : parsedOrNothing(text.slice(from, end));
  if (typeof delta !== "string") return undefined;
  const read = { ...entry, data: { ...data, delta }, body: `${text.slice(head.length, end)}}}` } as LogEntry;
  if (text.length === end + 2 && text.endsWith("}}")) return read;
  if (!text.startsWith(payloadStart, end) || !text.endsWith("}")) return undefined;
  const raw = text.slice(end + payloadStart.length, -1);
  // In JSON a line may end between two words, and the journal of payloads has one line for each.
  if (raw.includes("\n")) return undefined;
  const payload = parsedOrNothing(raw);
  if (payload === undefined) return undefined;
  return payload === null ? read : Object.assign(read, { raw });
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
