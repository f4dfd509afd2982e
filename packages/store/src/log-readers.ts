import type { EventChunk } from "./event-chunk.ts";
import type { EventStore } from "./event-store.ts";
import { PageReader, type WithPayloads } from "./page-reader.ts";
import { parseRawLines } from "./raw-lines.ts";
import { withRaw } from "./with-raw.ts";

/** A reader at the end of the log, and how to tell it that there is more. */
interface Follower {
  readonly raw: WithPayloads;
  resume: (() => void) | undefined;
}

/** A recent batch, and the agents' own payloads in it where a reader wants them. */
class RecentChunk {
  readonly chunk: EventChunk;
  readonly #raw: string | undefined;
  #chunkWithRaw: EventChunk | undefined;

  constructor(chunk: EventChunk, raw: string | undefined) {
    this.chunk = chunk;
    this.#raw = raw;
  }

  get length(): number {
    return this.chunk.text.length + (this.#raw?.length ?? 0);
  }

  /** The events as such a reader wants them; undefined where its payloads are only in the store. */
  as({ raw }: Pick<FollowOptions, "raw">): EventChunk | undefined {
    if (!raw) return this.chunk;
    if (this.#raw === undefined) return undefined;
    if (raw === "beside") return this.chunk.beside(this.#raw);
    this.#chunkWithRaw ??= withRaw(this.chunk, new Map(parseRawLines(this.#raw)));
    return this.#chunkWithRaw;
  }
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Add the agents' own payloads: to each event, or beside them as lines of their journal. */
  readonly raw: WithPayloads;
}

const maxTailLength = 512 * 1024;

/**
 * The readers of one session's log. They are cursors: they see an event only after the store has it, take it from the
 * recent batches when they keep up and from the store when they do not, and hold nothing while they wait.
 */
export class LogReaders {
  readonly #source: Pick<EventStore, "read" | "readRaw">;
  readonly #sessionId: string;
  #head: number;
  #tail: RecentChunk[] = [];
  #tailLength = 0;
  #followers = new Set<Follower>();
  #finished = false;

  constructor(source: Pick<EventStore, "read" | "readRaw">, sessionId: string, head: number) {
    this.#source = source;
    this.#sessionId = sessionId;
    this.#head = head;
  }

  /** The last sequence a reader can see. */
  get head(): number {
    return this.#head;
  }

  /** How many follow. */
  get followers(): number {
    return this.#followers.size;
  }

  /** Let readers see what the store has; `raw` are the lines of its journal of payloads, where they are at hand. */
  publish(chunk: EventChunk, raw?: string): void {
    this.#head = chunk.last;
    if (this.#followers.size > 0) {
      const isWanted = raw !== undefined && [...this.#followers].some((follower) => follower.raw !== false);
      this.#remember(new RecentChunk(chunk, isWanted ? raw : undefined));
    }
    this.#wake();
  }

  /**
   * Events after a sequence: first those that are there, then those to come, without a gap or a repetition between the
   * two. Ends when the signal aborts, or at the end of a log that is finished.
   */
  async *follow(after: number, options: FollowOptions): AsyncGenerator<EventChunk, void, void> {
    const follower: Follower = { raw: options.raw, resume: undefined };
    const wake = () => follower.resume?.();
    options.signal.addEventListener("abort", wake, { once: true });
    this.#followers.add(follower);
    try {
      const reader = new PageReader(this.#source, this.#sessionId, after, options.raw);
      while (!options.signal.aborted) {
        if (reader.after >= this.#head) {
          if (this.#finished) return;
          await new Promise<void>((resolve) => {
            follower.resume = resolve;
          });
          continue;
        }
        const recent = reader.isInside ? undefined : this.#recent(reader.after, options);
        if (recent) reader.skipTo(recent.last);
        yield recent ?? (await reader.next(this.#head));
      }
    } finally {
      this.#followers.delete(follower);
      options.signal.removeEventListener("abort", wake);
    }
  }

  /** The events after a sequence that are there now, at most `limit` of them, page by page. */
  async *read(after: number, limit: number, raw: WithPayloads): AsyncGenerator<EventChunk, void, void> {
    const through = Math.min(this.#head, after + limit);
    const reader = new PageReader(this.#source, this.#sessionId, after, raw);
    while (reader.after < through) yield await reader.next(through);
  }

  /** Nothing will be published any more: followers end when they have read everything. */
  finish(): void {
    this.#finished = true;
    this.#wake();
  }

  /** Let go of what is kept for readers that keep up. */
  dropTail(): void {
    this.#tail = [];
    this.#tailLength = 0;
  }

  /** What is longer than all that is kept for readers who keep up is read from the store, in parts. */
  #remember(recent: RecentChunk): void {
    if (recent.length > maxTailLength) return;
    this.#tail.push(recent);
    this.#tailLength += recent.length;
    while (this.#tailLength > maxTailLength && this.#tail.length > 1) {
      this.#tailLength -= this.#tail.shift()!.length;
    }
  }

  /** The recent chunk that goes on right after the cursor. */
  #recent(cursor: number, options: FollowOptions): EventChunk | undefined {
    for (let n = this.#tail.length - 1; n >= 0; n--) {
      const recent = this.#tail[n]!;
      const { first, last } = recent.chunk;
      if (first <= cursor + 1) return last > cursor ? recent.as(options)?.between(cursor, last) : undefined;
    }
    return undefined;
  }

  #wake(): void {
    for (const follower of this.#followers) follower.resume?.();
  }
}
