import { applyPayload, createSessionState, type SessionState, type SessionSummary } from "@sandbox-agent-ts/protocol";
import { EventChunk, type LogReaders } from "@sandbox-agent-ts/store";
import type { AppendedBatch } from "../metrics/runtime-metrics.ts";
import { EntryEncoder, type LogEntry } from "../mirror/encode-event.ts";
import { TextPieces } from "../mirror/text-pieces.ts";
import type { Lease, LogBatch, OpenedRequest, RuntimeStore, StoredSession } from "../store/runtime-store.ts";

/** Entries of one transaction; more wait for the next. */
const maxBatchLength = 1024 * 1024;

type OnWritten = (entries: readonly LogEntry[], batch: AppendedBatch) => void;

interface Pending {
  readonly entries: readonly LogEntry[];
  readonly cursor: LogBatch["cursor"];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the log of a session whose lease this process holds, and knows what it says. What comes while a batch is written
 * goes into the next one. After a failed write nothing more is written: the session is loaded again, because only the store
 * knows what it has.
 */
export class SessionWriter {
  readonly lease: Lease;
  readonly state: SessionState;
  readonly #store: RuntimeStore;
  readonly #encoder: EntryEncoder;
  readonly #readers: LogReaders;
  readonly #onWritten: OnWritten;
  readonly #onFailed: () => void;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: {
    readonly store: RuntimeStore;
    readonly session: StoredSession;
    readonly lease: Lease;
    readonly state: SessionState;
    readonly readers: LogReaders;
    readonly onWritten: OnWritten;
    /** Nothing more can be written. */
    readonly onFailed: () => void;
  }) {
    this.#store = options.store;
    this.#encoder = new EntryEncoder(options.session);
    this.lease = options.lease;
    this.state = options.state;
    this.#readers = options.readers;
    this.#onWritten = options.onWritten;
    this.#onFailed = options.onFailed;
  }

  get head(): number {
    return this.#readers.head;
  }

  /** Why nothing can be written any more, if that is so. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Resolves when readers can see the entries; with them moves the cursor of the sandbox that they are mirrored from. */
  append(entries: readonly LogEntry[], cursor?: LogBatch["cursor"]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#pending.push({ entries, cursor, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when everything appended so far is written or refused. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What is appended in the same go of the event loop goes together.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const taken = this.#take();
      try {
        await this.#write(taken);
        for (const { resolve } of taken) resolve();
      } catch (error) {
        this.#failure = error;
        for (const { reject } of [...taken, ...this.#pending]) reject(error);
        this.#pending = [];
        this.#onFailed();
      }
    }
    this.#writing = undefined;
  }

  #take(): Pending[] {
    let length = 0;
    let count = 0;
    for (const { entries } of this.#pending) {
      if (count > 0 && length > maxBatchLength) break;
      for (const entry of entries) length += roughLength(entry);
      count += 1;
    }
    return this.#pending.splice(0, count);
  }

  async #write(taken: readonly Pending[]): Promise<void> {
    const entries = taken.flatMap((pending) => pending.entries);
    const cursor = taken.findLast((pending) => pending.cursor)?.cursor;
    if (entries.length === 0) return;
    const first = this.head + 1;
    const lines = new TextPieces();
    const payloads = new TextPieces();
    let next = first;
    for (const entry of entries) {
      this.#encoder.encode(entry, next, lines, payloads);
      next += entry.run?.count ?? 1;
      applyPayload(this.state, entry);
      if (entry.nativeSessionId !== null) this.state.nativeSessionId = entry.nativeSessionId;
    }
    const count = next - first;
    this.state.sequence = next - 1;
    const pieces = lines.end();
    const startedAt = performance.now();
    await this.#store.append(this.lease, {
      first,
      count,
      lines: pieces.map(({ text }) => text),
      raw: payloads.end().map(({ text }) => text),
      at: Date.now(),
      ...(cursor ? { cursor } : {}),
      ...this.#consequences(entries),
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const piece of pieces) {
      this.#readers.publish(new EventChunk(this.head + 1, piece.count, piece.text, "utf8"));
    }
    this.#onWritten(entries, { count, seconds, isMirrored: cursor !== undefined });
  }

  /** What changes beside the log: turns, requests, and what lists and the next load want to know. */
  #consequences(entries: readonly LogEntry[]): Partial<LogBatch> {
    if (entries.every(({ type }) => type.startsWith("item."))) return {};
    const endedTurns: string[] = [];
    const openedRequests: OpenedRequest[] = [];
    const resolvedRequests: string[] = [];
    for (const { type, data } of entries) {
      if (type === "turn.ended") endedTurns.push(data.turn_id);
      if (type === "permission.requested") openedRequests.push({ requestId: data.permission_id, kind: "permission" });
      if (type === "question.requested") openedRequests.push({ requestId: data.question_id, kind: "question" });
      if (type === "permission.resolved") resolvedRequests.push(data.permission_id);
      if (type === "question.resolved") resolvedRequests.push(data.question_id);
    }
    return {
      endedTurns,
      openedRequests,
      resolvedRequests,
      summary: summaryOf(this.state),
      ...(isAtRest(this.state) ? { snapshot: this.state } : {}),
    };
  }
}

/** What lists need of the state. */
function summaryOf({ openItems: _items, openText: _text, ...summary }: SessionState): SessionSummary {
  return summary;
}

function isAtRest({ turnId, openItems }: SessionState): boolean {
  return turnId === null && Object.keys(openItems).length === 0;
}

/** Nearly all of a long entry is one string. */
function roughLength({ data, raw, run }: LogEntry): number {
  if (run) return run.length;
  return ("delta" in data ? data.delta.length : 256) + (raw?.length ?? 0);
}

/** The state of a session that nothing was written of, or as a snapshot has it. */
export function stateFrom(snapshot: unknown): SessionState {
  return { ...createSessionState(), ...(structuredClone(snapshot) as Partial<SessionState> | null | undefined) };
}
