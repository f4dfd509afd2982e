import type { UniversalEvent } from "../api-types.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { SseFrame } from "./read-sse.ts";

/** What arrived cannot be what the daemon sent, so that reading on would hide a loss. */
export class CorruptStream extends SandboxAgentError {
  constructor(message: string, cause?: unknown) {
    super(0, undefined, undefined, message, cause);
  }
}

/** An event as it was sent: a line of JSON, with its number. */
export interface EventText {
  /** As the stream numbers it; who does not trust the server compares it with that of the event. */
  readonly sequence: number;
  readonly text: string;
}

/** Where a reader is in a log: lets every event through once and in order. */
export class EventCursor {
  /** The last sequence seen; undefined as long as none was and none is known. */
  sequence: number | undefined;
  #lastEvent: UniversalEvent | undefined;
  #lastText: string | undefined;

  constructor(after: number | undefined) {
    this.sequence = after;
  }

  get lastEvent(): UniversalEvent | undefined {
    return this.#lastText === undefined ? this.#lastEvent : parseEvent(this.#lastText);
  }

  /** The event in a frame; undefined when it was seen before. */
  take(data: string): UniversalEvent | undefined {
    const event = parseEvent(data);
    if (!this.#moveTo(event.sequence)) return undefined;
    this.#lastEvent = event;
    return event;
  }

  /** The same, unparsed where the frame has its number. */
  takeText({ id, data }: SseFrame): EventText | undefined {
    const sequence = id === undefined || !/^\d+$/.test(id) ? parseEvent(data).sequence : Number(id);
    if (!this.#moveTo(sequence)) return undefined;
    this.#lastText = data;
    return { sequence, text: data };
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
