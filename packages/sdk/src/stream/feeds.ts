import type { UniversalEvent } from "../api-types.ts";
import type { EventFeed } from "./follow-events.ts";

type OpenAfter = (after: number, signal: AbortSignal) => Promise<Response>;

export interface SessionFeedOptions {
  readonly openAfter: OpenAfter;
  /** The event with this sequence, if there is one. */
  readonly readEvent: (sequence: number, signal: AbortSignal) => Promise<UniversalEvent | undefined>;
}

/**
 * A session's whole log. It is over when the server closes the stream after `session.ended`; a reader that began behind
 * that event has not seen it and looks it up.
 */
export function sessionFeed({ openAfter, readEvent }: SessionFeedOptions): EventFeed {
  return {
    open: (after = 0, signal) => openAfter(after, signal),
    isOver: async ({ sequence = 0, lastEvent }, signal) => {
      const last = lastEvent ?? (sequence > 0 ? await readEvent(sequence, signal) : undefined);
      return last?.type === "session.ended";
    },
  };
}

export interface TurnFeedOptions {
  /** Send the message. Called again, with the same key, as long as no event has arrived. */
  readonly post: (signal: AbortSignal) => Promise<Response>;
  readonly openAfter: OpenAfter;
}

/** The events of the turn that a message starts; after a drop they are read on from the session's log. */
export function turnFeed({ post, openAfter }: TurnFeedOptions): EventFeed {
  let turnId: string | undefined;
  return {
    open: (after, signal) => (after === undefined ? post(signal) : openAfter(after, signal)),
    isLast: (event) => {
      if (event.type === "turn.started") turnId ??= event.data.turn_id;
      return event.type === "session.ended" || (event.type === "turn.ended" && event.data.turn_id === turnId);
    },
  };
}
