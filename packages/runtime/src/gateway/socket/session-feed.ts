import { setImmediate } from "node:timers/promises";
import { SessionProjection, sequenceBefore } from "@sandbox-agent-ts/protocol";
import type { ReadableLog } from "@sandbox-agent-ts/server";
import { type ParsedEvents, parsed } from "../../sessions/conversation.ts";
import { MessageBatch } from "./message-batch.ts";
import type { Slots } from "./slots.ts";

const maxTailSize = 512 * 1024;

/** A batch, and whether it was made for this reader alone, which holds up others as long as it goes on. */
export interface FedBatch {
  readonly batch: MessageBatch;
  readonly isReplayed: boolean;
}

/**
 * The messages of one session for all sockets that joined it. The log is projected once, at its end; readers are cursors
 * that take from the recent batches when they keep up. One that does not has its place in the log and nothing else: it is
 * replayed from there, a few at a time, because messages can only be made from the beginning of a log on.
 */
export class SessionFeed {
  readonly sessionId: string;
  readonly log: ReadableLog;
  readonly #replays: Slots;
  readonly #projection: SessionProjection;
  readonly #stop = new AbortController();
  readonly #readers = new Set<() => void>();
  #tail: MessageBatch[] = [];
  #tailSize = 0;
  #isOver = false;
  #failure: unknown;

  constructor(sessionId: string, log: ReadableLog, replays: Slots) {
    this.sessionId = sessionId;
    this.log = log;
    this.#replays = replays;
    this.#projection = new SessionProjection(sessionId);
    void this.#run();
  }

  close(): void {
    this.#stop.abort();
  }

  /**
   * Messages after a cursor: those that are there, then those to come. Ends when the signal fires, or with a log that is
   * finished. Whoever stops in the middle goes on with another call, after the last batch.
   */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<FedBatch, void, void> {
    let cursor = after;
    while (!signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure;
      const batch = this.#recent(cursor);
      if (batch) {
        cursor = batch.last;
        yield { batch, isReplayed: false };
      } else if (cursor >= this.#projection.sequence) {
        if (this.#isOver) return;
        await this.#change(signal);
      } else {
        for await (const replayed of this.#replay(cursor, signal)) {
          cursor = replayed.last;
          yield { batch: replayed, isReplayed: true };
        }
      }
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const events of parsed(this.log.follow(0, { signal, raw: false }))) {
        this.#remember(project(this.#projection, events));
        this.#wake();
        if (this.#projection.sequence < this.log.head) await setImmediate();
      }
      this.#isOver = true;
    } catch (error) {
      this.#failure = error;
    }
    this.#wake();
  }

  /** Until the reader is where the recent batches begin. */
  async *#replay(after: number, signal: AbortSignal): AsyncGenerator<MessageBatch, void, void> {
    const release = await this.#replays.take(signal);
    if (!release) return;
    try {
      const projection = new SessionProjection(this.sessionId);
      for await (const events of parsed(this.log.read(0, Number.POSITIVE_INFINITY, false))) {
        const batch = project(projection, events);
        if (batch.last > after) yield batch.after(after);
        if (signal.aborted || (batch.last > after && this.#recent(batch.last))) return;
        await setImmediate();
      }
    } finally {
      release();
    }
  }

  #remember(batch: MessageBatch): void {
    this.#tail.push(batch);
    this.#tailSize += batch.size;
    while (this.#tailSize > maxTailSize) this.#tailSize -= this.#tail.shift()!.size;
  }

  /** What is left of the recent batch in which the next event after the cursor is. */
  #recent(cursor: number): MessageBatch | undefined {
    const next = sequenceBefore(cursor) + 1;
    const batch = this.#tail.findLast(({ first }) => first <= next);
    return batch && next <= batch.last ? batch.after(cursor) : undefined;
  }

  #wake(): void {
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const wake of readers) wake();
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#readers.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#readers.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

function project(projection: SessionProjection, { events, length }: ParsedEvents): MessageBatch {
  const first = projection.sequence + 1;
  const messages = events.flatMap((event) => projection.apply(event));
  return new MessageBatch({ first, last: projection.sequence, size: length }, messages);
}
