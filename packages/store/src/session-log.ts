import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { EventChunk } from "./event-chunk.ts";
import { EventEncoder, encodeRaw } from "./event-encoder.ts";
import type { EventStore, SessionRecord } from "./event-store.ts";
import { type FollowOptions, LogReaders } from "./log-readers.ts";
import type { WithPayloads } from "./page-reader.ts";

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
  readonly #readers: LogReaders;
  #pending: EventDraft[] = [];
  /** Of how many failures the author of what is pending knew, if anybody said so. */
  #pendingKnew: number | undefined;
  #failures = 0;
  #lastFailure: unknown;
  #commit: Promise<void> | undefined;
  #lastCommit: Promise<void> = Promise.resolve();

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
    this.#readers = new LogReaders(store, record.sessionId, store.head(record.sessionId));
  }

  /** The last sequence a reader can see. */
  get head(): number {
    return this.#readers.head;
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
  follow(after: number, options: FollowOptions): AsyncGenerator<EventChunk, void, void> {
    return this.#readers.follow(after, options);
  }

  /** The events after a sequence that are there now, at most `limit` of them, page by page. */
  read(after: number, limit: number, raw: WithPayloads): AsyncGenerator<EventChunk, void, void> {
    return this.#readers.read(after, limit, raw);
  }

  /** Nothing will be appended any more: followers end when they have read everything. */
  finish(): void {
    void this.settled().then(() => this.#readers.finish());
  }

  /** Let go of what is kept for readers that keep up. */
  dropTail(): void {
    this.#readers.dropTail();
  }

  #write(): void | Promise<void> {
    const drafts = this.#pending;
    const isOutdated = this.#pendingKnew !== undefined && this.#pendingKnew !== this.#failures;
    this.#pending = [];
    this.#pendingKnew = undefined;
    this.#commit = undefined;
    if (isOutdated) throw this.#lastFailure;
    if (drafts.length === 0) return;
    const first = this.head + 1;
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
      return stored ? stored.then(() => this.#publish(chunk, raw), fail) : this.#publish(chunk, raw);
    } catch (error) {
      fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#failures += 1;
    this.#lastFailure = error;
    throw error;
  }

  #publish(chunk: EventChunk, raw: string): void {
    this.#readers.publish(chunk, raw);
    this.#onWrite(this);
  }
}
