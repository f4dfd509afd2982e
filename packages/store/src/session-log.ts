import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { EventChunk } from "./event-chunk.ts";
import { EventEncoder, encodeRaw } from "./event-encoder.ts";
import type { EventStore, SessionRecord } from "./event-store.ts";
import { PageReader } from "./page-reader.ts";

/**
 * The log of one session: drafts go in, numbered events come out, in one order for everybody.
 *
 * What is appended in one go of the event loop is one batch: one write to the store, then one wake-up. Readers are
 * cursors. They see an event only after the store has it, take it from the recent batches when they keep up and from the
 * store when they do not, and hold nothing while they wait.
 */
export class SessionLog {
  readonly sessionId: string;
  readonly #store: EventStore;
  readonly #encoder: EventEncoder;
  readonly #onWrite: (log: SessionLog) => void;
  #head: number;
  #pending: EventDraft[] = [];
  /** Of how many failures the author of what is pending knew, if anybody said so. */
  #pendingKnew: number | undefined;
  #failures = 0;
  #lastFailure: unknown;
  #commit: Promise<void> | undefined;
  #lastCommit: Promise<void> = Promise.resolve();
  #tail: EventChunk[] = [];
  #tailLength = 0;
  #followers = new Set<Follower>();
  #finished = false;

  constructor(
    store: EventStore,
    record: SessionRecord,
    nativeSessionId: string | null,
    onWrite: (log: SessionLog) => void,
  ) {
    this.#store = store;
    this.#encoder = new EventEncoder(record, nativeSessionId);
    this.#onWrite = onWrite;
    this.sessionId = record.sessionId;
    this.#head = store.head(record.sessionId);
  }

  /** The last sequence a reader can see. */
  get head(): number {
    return this.#head;
  }

  /** Whether something was appended that readers cannot see yet. */
  get isWriting(): boolean {
    return this.#commit !== undefined;
  }

  setNativeSessionId(id: string): void {
    this.#encoder.setNativeSessionId(id);
  }

  /** How often the store could not keep what was appended. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Number the drafts and keep them. Resolves when the store has them and readers can see them. Rejects when the store
   * could not keep them; then none of them, and nothing appended in the same go, has happened. Drafts that build on
   * earlier ones come with the `failures` their author knows of: they are refused too when one more has happened.
   */
  append(drafts: readonly EventDraft[], failures?: number): Promise<void> {
    if (failures !== undefined) this.#pendingKnew = Math.min(this.#pendingKnew ?? failures, failures);
    for (const draft of drafts) this.#pending.push(draft);
    if (!this.#commit) {
      this.#commit = this.#lastCommit.then(() => this.#write());
      this.#lastCommit = this.#commit.catch(() => {});
    }
    return this.#commit;
  }

  /** Resolves when nothing appended so far waits to be written any more, kept or refused. */
  settled(): Promise<void> {
    return this.#lastCommit;
  }

  /** Everything appended so far becomes durable; what the store refuses is told to those who appended it. */
  async sync(): Promise<void> {
    await this.settled();
    await this.#store.sync(this.sessionId);
  }

  /**
   * Events after a sequence: first those that are there, then those to come, without a gap or a repetition between the
   * two. Ends when the signal aborts, or at the end of a log that is finished.
   */
  async *follow(after: number, options: FollowOptions): AsyncGenerator<EventChunk, void, void> {
    const follower: Follower = { resume: undefined };
    const wake = () => follower.resume?.();
    options.signal.addEventListener("abort", wake, { once: true });
    this.#followers.add(follower);
    try {
      const reader = new PageReader(this.#store, this.sessionId, after, options.raw);
      while (!options.signal.aborted) {
        if (reader.after >= this.#head) {
          if (this.#finished) return;
          await new Promise<void>((resolve) => {
            follower.resume = resolve;
          });
          continue;
        }
        const recent = options.raw || reader.isInside ? undefined : this.#recent(reader.after);
        if (recent) reader.skipTo(recent.last);
        yield recent ?? (await reader.next(this.#head));
      }
    } finally {
      this.#followers.delete(follower);
      options.signal.removeEventListener("abort", wake);
    }
  }

  /** The events after a sequence that are there now, at most `limit` of them, page by page. */
  async *read(after: number, limit: number, raw: boolean): AsyncGenerator<EventChunk, void, void> {
    const through = Math.min(this.#head, after + limit);
    const reader = new PageReader(this.#store, this.sessionId, after, raw);
    while (reader.after < through) yield await reader.next(through);
  }

  /** Nothing will be appended any more: followers end when they have read everything. */
  finish(): void {
    void this.settled().then(() => {
      this.#finished = true;
      this.#wake();
    });
  }

  /** Let go of what is kept for readers that keep up. */
  dropTail(): void {
    this.#tail = [];
    this.#tailLength = 0;
  }

  #write(): void | Promise<void> {
    const drafts = this.#pending;
    const isOutdated = this.#pendingKnew !== undefined && this.#pendingKnew !== this.#failures;
    this.#pending = [];
    this.#pendingKnew = undefined;
    this.#commit = undefined;
    if (isOutdated) throw this.#lastFailure;
    if (drafts.length === 0) return;
    const first = this.#head + 1;
    const fail = (error: unknown) => this.#fail(error);
    try {
      let lines = "";
      let raw = "";
      let sequence = first;
      for (const draft of drafts) {
        lines += `${this.#encoder.encode(draft, sequence)}\n`;
        raw += encodeRaw(sequence, draft);
        sequence += 1;
      }
      const chunk = new EventChunk(first, drafts.length, lines, "utf8");
      const stored = this.#store.append(this.sessionId, { first, count: drafts.length, lines, raw });
      return stored ? stored.then(() => this.#publish(chunk), fail) : this.#publish(chunk);
    } catch (error) {
      fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#failures += 1;
    this.#lastFailure = error;
    throw error;
  }

  #publish(chunk: EventChunk): void {
    this.#head = chunk.last;
    if (this.#followers.size > 0) this.#remember(chunk);
    this.#onWrite(this);
    this.#wake();
  }

  /** What is longer than all that is kept for readers who keep up is read from the store, in parts. */
  #remember(chunk: EventChunk): void {
    if (chunk.text.length > maxTailLength) return;
    this.#tail.push(chunk);
    this.#tailLength += chunk.text.length;
    while (this.#tailLength > maxTailLength && this.#tail.length > 1) {
      this.#tailLength -= this.#tail.shift()!.text.length;
    }
  }

  /** The recent chunk that goes on right after the cursor. */
  #recent(cursor: number): EventChunk | undefined {
    for (let n = this.#tail.length - 1; n >= 0; n--) {
      const chunk = this.#tail[n]!;
      if (chunk.first <= cursor + 1) return chunk.last > cursor ? chunk.between(cursor, chunk.last) : undefined;
    }
    return undefined;
  }

  #wake(): void {
    for (const follower of this.#followers) follower.resume?.();
  }
}

/** A reader at the end of the log, and how to tell it that there is more. */
interface Follower {
  resume: (() => void) | undefined;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Add the agents' own payloads. */
  readonly raw: boolean;
}

const maxTailLength = 512 * 1024;
