import type { UniversalEvent } from "../api-types.ts";
import { pause } from "../http/pause.ts";
import { type Backoff, backoffMs, retryDelayMs } from "../http/retry.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { CorruptStream, EventCursor } from "./event-cursor.ts";
import { type EventLines, recordsOrSse } from "./event-records.ts";
import { type SseFrame, sseParser } from "./read-sse.ts";
import { readStream, type StreamParser } from "./read-stream.ts";

/** How a stream continues after a lost connection. */
export interface ReconnectOptions extends Partial<Backoff> {
  /** Without a byte for this long the connection is given up and made anew; the daemon sends one every 15 s. */
  readonly stallMs?: number;
}

export interface FollowOptions extends ReconnectOptions {
  /** Told when events will follow, and each time the connection was lost and is to be made anew. */
  readonly onConnection?: ((state: "live" | "reconnecting", failure?: unknown) => void) | undefined;
}

const RECONNECT_DEFAULTS: Required<ReconnectOptions> = {
  retries: 10,
  baseMs: 250,
  maxMs: 10_000,
  stallMs: 45_000,
};

/** What is followed: a whole session or one turn. */
export interface EventFeed {
  /** Connect; `after` is the last sequence seen, undefined as long as none was and none is known. */
  open(after: number | undefined, signal: AbortSignal): Promise<Response>;
  /** Nothing follows this event. */
  isLast?(event: UniversalEvent): boolean;
  /** The server closed the stream cleanly: is that the feed's end, or did only the server stop? */
  isOver?(cursor: EventCursor, signal: AbortSignal): Promise<boolean>;
}

/** Every event of a feed after `after`, in order, once. */
export function eventSource(feed: EventFeed, after: number | undefined): Source<UniversalEvent> {
  const cursor = new EventCursor(after);
  return {
    ...placeIn(feed, cursor),
    parserFor: (type) => sseParser(type),
    take: ({ data }) => cursor.take(data),
    isLast: (event) => feed.isLast?.(event) ?? false,
  };
}

/** The same, unparsed. */
export function eventLinesSource(
  feed: Omit<EventFeed, "isLast">,
  after: number | undefined,
): Source<EventLines, EventLines | SseFrame> {
  const cursor = new EventCursor(after);
  return { ...placeIn(feed, cursor), parserFor: recordsOrSse, take: (frame) => cursor.takeLines(frame) };
}

function placeIn(feed: EventFeed, cursor: EventCursor): Pick<Source<never>, "open" | "position" | "isOver"> {
  return {
    open: (inner) => feed.open(cursor.sequence, inner),
    position: () => cursor.sequence,
    isOver: async (inner) => (await feed.isOver?.(cursor, inner)) ?? false,
  };
}

/** A stream that can be opened again behind what was seen of it. */
export interface Source<Event, Frame = SseFrame> {
  open(signal: AbortSignal): Promise<Response>;
  /** Reads what such content is made of; undefined for content that is no stream. */
  parserFor(type: string): StreamParser<Frame> | undefined;
  /** The event in a frame; undefined when it was seen before. */
  take(frame: Frame): Event | undefined;
  /** Changes with every event that is taken. */
  position(): unknown;
  /** Nothing follows this event. */
  isLast?(event: Event): boolean;
  /** The server closed the stream cleanly: is that its end, or did only the server stop? */
  isOver?(signal: AbortSignal): Promise<boolean>;
}

/**
 * The events of a source over as many connections as it takes. Ends when the source does or when the signal fires; throws
 * a `SandboxAgentError` when trying again cannot help or has failed too often.
 */
export async function* follow<Event>(
  source: Source<Event>,
  signal?: AbortSignal,
  options?: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  for await (const batch of followBatches(source, signal, options)) {
    for (const event of batch) {
      yield event;
      if (signal?.aborted) return;
    }
  }
}

/** As `follow`, those that arrived together at once. */
export async function* followBatches<Event, Frame>(
  source: Source<Event, Frame>,
  signal: AbortSignal = new AbortController().signal,
  options: FollowOptions = {},
): AsyncGenerator<readonly Event[], void, undefined> {
  const { stallMs, onConnection, ...backoff } = { ...RECONNECT_DEFAULTS, ...options };
  let failures = 0;
  while (!signal.aborted) {
    const before = source.position();
    const connection: Connection = { openedAt: undefined, onOpen: () => onConnection?.("live") };
    let failure: unknown = SandboxAgentError.withoutResponse("The server closed the event stream before its end.");
    try {
      if (yield* followConnection(source, connection, signal, stallMs)) return;
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    if (source.position() !== before || hasLasted(connection, backoff.maxMs)) failures = 0;
    if (failures >= backoff.retries || !isPassing(failure)) throw failure;
    onConnection?.("reconnecting", failure);
    await pause(retryDelayMs(failure, failures, backoff) ?? backoffMs(failures, backoff), signal);
    failures += 1;
  }
}

interface Connection {
  /** When the server said that events will follow. */
  openedAt: number | undefined;
  onOpen(): void;
}

/** A connection that outlived the longest pause was a good one, even if nothing happened in the session meanwhile. */
function hasLasted({ openedAt }: Connection, longestPauseMs: number): boolean {
  return openedAt !== undefined && Date.now() - openedAt > longestPauseMs;
}

/** The events of one connection; returns whether the source is over. */
async function* followConnection<Event, Frame>(
  source: Source<Event, Frame>,
  connection: Connection,
  signal: AbortSignal,
  stallMs: number,
): AsyncGenerator<readonly Event[], boolean, undefined> {
  const open = async (inner: AbortSignal): Promise<Response> => {
    const response = await source.open(inner);
    connection.openedAt = Date.now();
    connection.onOpen();
    return response;
  };
  for await (const frames of readStream({ open, signal, stallMs }, source.parserFor)) {
    const { events, failure, isLast } = takeAll(source, frames);
    if (events.length > 0) yield events;
    if (signal.aborted || isLast) return true;
    if (failure) throw failure;
  }
  return (await source.isOver?.(signal)) ?? false;
}

/** The events of some frames, up to the last one there is, or one that cannot be read. */
function takeAll<Event, Frame>(source: Source<Event, Frame>, frames: readonly Frame[]) {
  const events: Event[] = [];
  try {
    for (const frame of frames) {
      const event = source.take(frame);
      if (!event) continue;
      events.push(event);
      if (source.isLast?.(event)) return { events, isLast: true };
    }
  } catch (failure) {
    return { events, failure: failure as Error, isLast: false };
  }
  return { events, isLast: false };
}

/** A request that the server refuses will be refused again; what broke on the way may be mended. */
function isPassing(failure: unknown): boolean {
  if (!(failure instanceof SandboxAgentError) || failure instanceof CorruptStream) return false;
  return failure.status === 0 || failure.status >= 500 || retryDelayMs(failure, 0, RECONNECT_DEFAULTS) !== undefined;
}
