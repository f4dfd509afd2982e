import { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { EventText } from "@sandbox-agent-ts/sdk";
import { entryOf, type LogEntry, type RunDelta } from "./encode-event.ts";

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
    let run: RunDelta[] = [];
    const endRun = () => {
      if (run.length > 0) entries.push(this.#shape!.entryOf(run));
      run = [];
    };
    try {
      for (const event of events) {
        const delta = this.#shape?.read(event);
        if (delta) run.push(delta);
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
const payloadStart = '},"raw":';
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

  entryOf(run: readonly RunDelta[]): LogEntry {
    const delta = run.map((one) => one.delta).join("");
    return { ...this.#entry, data: { ...this.#data, delta }, run } as LogEntry;
  }

  /** Undefined where the event is another, or not written as daemons write it. */
  read({ sequence, text }: EventText): RunDelta | undefined {
    // Comparing slices costs a fraction of `startsWith`.
    const head = `${this.#start}${sequence}","sequence":${sequence}${timeStart}`;
    const timeAt = head.length;
    const from = timeAt + timeLength + this.#middle.length;
    if (text.slice(0, timeAt) !== head || !this.#isTimeAndMiddle(text.slice(timeAt, from))) return undefined;
    const found = readString(text, from);
    if (!found) return undefined;
    const { value: delta, end } = found;
    const body = `${text.slice(timeAt - timeStart.length, end)}}}`;
    if (text.length === end + 2 && text.slice(end) === "}}") return { delta, body };
    if (text.slice(end, end + payloadStart.length) !== payloadStart || !text.endsWith("}")) return undefined;
    const raw = text.slice(end + payloadStart.length, -1);
    // In JSON a line may end between two words, and the journal of payloads has one line for each.
    const payload = raw.includes("\n") ? undefined : parsedOrNothing(raw);
    if (payload === undefined) return undefined;
    return payload === null ? { delta, body } : { delta, body, raw };
  }

  #isTimeAndMiddle(text: string): boolean {
    if (text === this.#timeAndMiddle) return true;
    if (text.slice(timeLength) !== this.#middle) return false;
    if (!UniversalEvent.options[0].shape.time.safeParse(text.slice(0, timeLength)).success) return false;
    this.#timeAndMiddle = text;
    return true;
  }
}

/** The string in JSON that begins here, and where it ends. */
function readString(text: string, from: number): { value: string; end: number } | undefined {
  plainString.lastIndex = from;
  if (plainString.test(text))
    return { value: text.slice(from + 1, plainString.lastIndex - 1), end: plainString.lastIndex };
  const end = endOfString(text, from);
  const value = end === -1 ? undefined : parsedOrNothing(text.slice(from, end));
  return typeof value === "string" ? { value, end } : undefined;
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
