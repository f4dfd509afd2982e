import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { EventLines } from "@sandbox-agent-ts/sdk";
import { type DeltaPlaces, DeltaRun } from "./delta-run.ts";
import { entryOf, type LogEntry } from "./encode-event.ts";
import { PayloadLines } from "./payload-lines.ts";
import { endsLine, PayloadShape } from "./payload-shape.ts";

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
  read({ first, count, lines, payloads }: EventLines, entries: LogEntry[]): void {
    let run = new DeltaRun(lines, payloads);
    const endRun = () => {
      if (run.count === 0) return;
      entries.push(this.#shape!.entryOf(run));
      run = new DeltaRun(lines, payloads);
    };
    const beside = new PayloadLines(payloads);
    try {
      let from = 0;
      for (let sequence = first; sequence < first + count; sequence += 1) {
        const to = lines.indexOf("\n", from);
        if (to === -1) throw new UntrustedSandbox("The sandbox sent fewer events than it said.");
        const digits = String(sequence);
        beside.find(digits);
        const delta = this.#shape?.read({ lines, from, to, digits, beside });
        if (delta) run.add(delta);
        else {
          endRun();
          const entry = this.#readAny(sequence, lines.slice(from, to), beside.payload);
          if (entry) entries.push(entry);
        }
        this.sequence = sequence;
        from = to + 1;
      }
      if (from !== lines.length) throw new UntrustedSandbox("The sandbox sent more events than it said.");
    } finally {
      endRun();
    }
  }

  #readAny(sequence: number, line: string, payload: string | undefined): LogEntry | undefined {
    const event = validated(line, this.#sessionId);
    if (event.sequence !== sequence) {
      throw new UntrustedSandbox(`The sandbox sent event ${event.sequence} under the number ${sequence}.`);
    }
    if (event.type === "item.delta") this.#shape = DeltaShape.of(event);
    if (event.type === "session.started") return undefined;
    const entry = entryOf(event);
    if (payload === undefined) return entry;
    const value = parsed(payload);
    return { ...entry, raw: endsLine(payload) ? JSON.stringify(value) : payload } as LogEntry;
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
/** As daemons write the time. */
const timeLength = "2026-01-01T00:00:00.000Z".length;
/** A string in JSON that is what it says: without a quote, a backslash or a control character in it. */
const plainString = /"[ !#-[\]-\uffff]*"/y;

/** A line of an event, from one place to another, and the payloads beside it, at its own. */
interface DeltaLine {
  readonly lines: string;
  readonly from: number;
  readonly to: number;
  /** Its number. */
  readonly digits: string;
  readonly beside: PayloadLines;
}

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
  read({ lines, from, to, digits, beside }: DeltaLine): DeltaPlaces | undefined {
    // Comparing slices costs a fraction of `startsWith`.
    const head = `${this.#start}${digits}","sequence":${digits}${timeStart}`;
    const timeAt = from + head.length;
    const start = timeAt + timeLength + this.#middle.length;
    const end = to - 2;
    if (lines.slice(from, timeAt) !== head || !this.#isTimeAndMiddle(lines.slice(timeAt, start))) return undefined;
    if (lines.slice(end, to) !== "}}" || !isString(lines, start, end)) return undefined;
    const { payload, start: payloadStart, end: payloadEnd } = beside;
    if (payload !== undefined && !this.#payloads.isJson(payload, lines.slice(start, end))) return undefined;
    return { body: timeAt - timeStart.length, start, end, payloadStart, payloadEnd };
  }

  #isTimeAndMiddle(text: string): boolean {
    if (text === this.#timeAndMiddle) return true;
    if (text.slice(timeLength) !== this.#middle) return false;
    if (!UniversalEvent.options[0].shape.time.safeParse(text.slice(0, timeLength)).success) return false;
    this.#timeAndMiddle = text;
    return true;
  }
}

/** Whether there is one string in JSON between these places. */
function isString(text: string, start: number, end: number): boolean {
  plainString.lastIndex = start;
  if (plainString.test(text)) return plainString.lastIndex === end;
  if (text[start] !== '"' || text[end - 1] !== '"') return false;
  try {
    return typeof JSON.parse(text.slice(start, end)) === "string";
  } catch {
    return false;
  }
}
