import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { EventText } from "@sandbox-agent-ts/sdk";
import { type DeltaPlaces, DeltaRun } from "./delta-run.ts";
import { entryOf, type LogEntry } from "./encode-event.ts";
import { PayloadShape } from "./payload-shape.ts";

/** What a sandbox sends is not what a daemon would: nothing more is taken from it. */
export class UntrustedSandbox extends Error {
  override readonly name = "UntrustedSandbox";
}

type DeltaEvent = Extract<UniversalEvent, { type: "item.delta" }>;
type DeltaEntry = Extract<LogEntry, { type: "item.delta" }>;

/**
 * Validates the events of one session that a sandbox sends. Nearly all are deltas that differ in nothing but their number,
 * time and text from the one before: of such a one only that is looked at, its text is taken over instead of being made anew,
 * and those that follow upon each other become one entry. Every other event is parsed and compared with its schema.
 */
export class EventReader {
  /** Of the last event that was read. */
  sequence = 0;
  readonly #sessionId: string;
  #shape: DeltaShape | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Put what they say behind `entries`; where one is refused, all before it are there. The start of the session is left out: the runtime's log has its own. */
  read(events: readonly EventText[], entries: LogEntry[]): void {
    let run = new DeltaRun();
    const endRun = () => {
      if (run.count === 0) return;
      entries.push(this.#shape!.entryOf(run));
      run = new DeltaRun();
    };
    try {
      for (const event of events) {
        const delta = this.#shape?.read(event);
        if (delta) run.add(delta);
        else {
          endRun();
          const entry = this.#readAny(event);
          if (entry) entries.push(entry);
        }
        this.sequence = event.sequence;
      }
    } finally {
      endRun();
    }
  }

  #readAny({ sequence, text }: EventText): LogEntry | undefined {
    const event = validated(text, this.#sessionId);
    if (event.sequence !== sequence) {
      throw new UntrustedSandbox(`The sandbox sent event ${event.sequence} under the number ${sequence}.`);
    }
    if (event.type === "item.delta") this.#shape = DeltaShape.of(event);
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

const timeStart = ',"time":"';
const payloadStart = '},"raw":{';
/** As daemons write the time. */
const timeLength = "2026-01-01T00:00:00.000Z".length;
/** A string in JSON that is what it says: without a quote, a backslash or a control character in it. */
const plainString = /"[ !#-[\]-\uffff]*"/y;

/** A delta that was validated, as the text that the next one of the same item has around its own if it comes from a daemon. */
class DeltaShape {
  /** Up to the number in the event's id. */
  readonly #start: string;
  /** From behind the time to where the delta begins. */
  readonly #middle: string;
  readonly #entry: Omit<DeltaEntry, "data" | "raw" | "run">;
  readonly #data: Omit<DeltaEntry["data"], "delta">;
  readonly #payloads = new PayloadShape();
  /** A time that was validated, nearly always that of the next one too, and what follows upon it. */
  #timeAndMiddle = "";

  private constructor(event: DeltaEvent) {
    const { event_id, sequence, session_id, data } = event;
    const { data: _, raw: __, ...entry } = entryOf(event) as DeltaEntry;
    const { delta: ___, ...rest } = data;
    const fields = JSON.stringify(rest).slice(1, -1);
    this.#start = JSON.stringify({ event_id: event_id.slice(0, -`${sequence}`.length) }).slice(0, -2);
    this.#middle =
      `","session_id":${JSON.stringify(session_id)},` +
      `"native_session_id":${JSON.stringify(entry.nativeSessionId)},"source":"${entry.source}",` +
      `"synthetic":${entry.synthetic},"type":"item.delta","data":{${fields},"delta":`;
    this.#entry = entry;
    this.#data = rest;
  }

  /** Undefined where no other event can be told by it. */
  static of(event: DeltaEvent): DeltaShape | undefined {
    return event.event_id.endsWith(`_${event.sequence}`) ? new DeltaShape(event) : undefined;
  }

  entryOf(run: DeltaRun): LogEntry {
    return { ...this.#entry, data: { ...this.#data, delta: run.delta }, run } as LogEntry;
  }

  /** Undefined where the event is another, or not written as daemons write it. */
  read({ sequence, text }: EventText): DeltaPlaces | undefined {
    // Comparing slices costs a fraction of `startsWith`.
    const head = `${this.#start}${sequence}","sequence":${sequence}${timeStart}`;
    const timeAt = head.length;
    const start = timeAt + timeLength + this.#middle.length;
    if (text.slice(0, timeAt) !== head || !this.#isTimeAndMiddle(text.slice(timeAt, start))) return undefined;
    const end = endOfString(text, start);
    if (end === -1) return undefined;
    const body = timeAt - timeStart.length;
    if (text.length === end + 2 && text.slice(end) === "}}") return { text, body, start, end, payload: 0 };
    const payload = end + payloadStart.length - 1;
    if (text.slice(end, payload + 1) !== payloadStart || !text.endsWith("}")) return undefined;
    if (!this.#payloads.isJson(text.slice(payload, -1), text.slice(start, end))) return undefined;
    return { text, body, start, end, payload };
  }

  #isTimeAndMiddle(text: string): boolean {
    if (text === this.#timeAndMiddle) return true;
    if (text.slice(timeLength) !== this.#middle) return false;
    if (!UniversalEvent.options[0].shape.time.safeParse(text.slice(0, timeLength)).success) return false;
    this.#timeAndMiddle = text;
    return true;
  }
}

/** Where the string in JSON ends that begins here; -1 where none does. */
function endOfString(text: string, from: number): number {
  plainString.lastIndex = from;
  if (plainString.test(text)) return plainString.lastIndex;
  const end = endOfQuoted(text, from);
  return end !== -1 && isString(text.slice(from, end)) ? end : -1;
}

/** Where the quotes end that begin here, whatever is in them; -1 where they do not. */
function endOfQuoted(text: string, from: number): number {
  if (text[from] !== '"') return -1;
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return -1;
}

function isString(json: string): boolean {
  try {
    return typeof JSON.parse(json) === "string";
  } catch {
    return false;
  }
}
