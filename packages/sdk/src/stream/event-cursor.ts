import type { UniversalEvent } from "../api-types.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { EventLines } from "./event-records.ts";
import type { SseFrame } from "./read-sse.ts";

/** What arrived cannot be what the daemon sent, so that reading on would hide a loss. */
export class CorruptStream extends SandboxAgentError {
  constructor(message: string, cause?: unknown) {
    super(0, undefined, undefined, message, cause);
  }
}

/** Where a reader is in a log: lets every event through once and in order. */
export class EventCursor {
  /** The last sequence seen; undefined as long as none was and none is known. */
  sequence: number | undefined;
  #lastEvent: UniversalEvent | undefined;
  #lastLines: string | undefined;

  constructor(after: number | undefined) {
    this.sequence = after;
  }

  get lastEvent(): UniversalEvent | undefined {
    const lines = this.#lastLines;
    return lines === undefined
      ? this.#lastEvent
      : parseEvent(lines.slice(lines.lastIndexOf("\n", lines.length - 2) + 1));
  }

  /** The event in a frame; undefined when it was seen before. */
  take(data: string): UniversalEvent | undefined {
    const event = parseEvent(data);
    if (!this.#moveTo(event.sequence)) return undefined;
    this.#lastEvent = event;
    return event;
  }

  /** The same of several, unparsed where they have their numbers. */
  takeLines(frame: EventLines | SseFrame): EventLines | undefined {
    const events = "data" in frame ? linesOf(frame) : frame;
    if (!this.#moveTo(events.first)) return undefined;
    this.sequence = events.first + events.count - 1;
    this.#lastLines = events.lines;
    return events;
  }

  /** False when it was there before. */
  #moveTo(sequence: number): boolean {
    if (this.sequence !== undefined) {
      if (sequence <= this.sequence) return false;
      if (sequence > this.sequence + 1) {
        throw new CorruptStream(`Event ${this.sequence + 1} is missing: the next one to arrive was ${sequence}.`);
      }
    }
    this.sequence = sequence;
    return true;
  }
}

function linesOf({ id, data }: SseFrame): EventLines {
  const first = id === undefined || !/^\d+$/.test(id) ? parseEvent(data).sequence : Number(id);
  return { first, count: 1, lines: `${data}\n`, payloads: "" };
}

function parseEvent(data: string): UniversalEvent {
  let event: UniversalEvent;
  try {
    event = JSON.parse(data) as UniversalEvent;
  } catch (cause) {
    throw new CorruptStream("A frame of the event stream is not JSON.", cause);
  }
  if (!Number.isInteger(event?.sequence)) throw new CorruptStream("A frame of the event stream has no sequence.");
  return event;
}
