import type { UniversalEvent } from "../api-types.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";

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
  lastEvent: UniversalEvent | undefined;

  constructor(after: number | undefined) {
    this.sequence = after;
  }

  /** The event in a frame; undefined when it was seen before. */
  take(data: string): UniversalEvent | undefined {
    const event = parseEvent(data);
    if (this.sequence !== undefined) {
      if (event.sequence <= this.sequence) return undefined;
      if (event.sequence > this.sequence + 1) {
        throw new CorruptStream(`Event ${this.sequence + 1} is missing: the next one to arrive was ${event.sequence}.`);
      }
    }
    this.sequence = event.sequence;
    this.lastEvent = event;
    return event;
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
