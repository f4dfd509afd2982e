import type { SessionListEvent } from "../api-types.ts";
import { CorruptStream } from "./event-cursor.ts";
import type { Source } from "./follow-events.ts";
import { sseParser } from "./read-sse.ts";

/** The stream of all sessions. It has no end; the daemon says itself when a reader missed something. */
export function sessionListSource(
  open: (after: string | undefined, signal: AbortSignal) => Promise<Response>,
): Source<SessionListEvent> {
  let lastId: string | undefined;
  return {
    open: (signal) => open(lastId, signal),
    parserFor: (type) => sseParser(type),
    take: ({ id, data }) => {
      lastId = id;
      return parseEvent(data);
    },
    position: () => lastId,
  };
}

function parseEvent(data: string): SessionListEvent {
  try {
    return JSON.parse(data) as SessionListEvent;
  } catch (cause) {
    throw new CorruptStream("A frame of the stream of sessions is not JSON.", cause);
  }
}
