/**
 * Where a log is kept. Deliberately dumb: it stores what `EventLog` hands it and gives it back. Numbering, grouping,
 * following, waking and paging live once, in `EventLog`; a driver is a folder beside this file that passes
 * `describeEventStore`.
 *
 * A driver belongs to one process at a time; whoever opens it sees to that. Whatever a method has acknowledged survives
 * the death of the process; what `sync` has acknowledged survives the death of the machine. A write that fails leaves the
 * session as it was before: never half a batch.
 */
export interface EventStore {
  /** Everything kept, in no particular order. Called once, before anything else; mends what a crash left behind. */
  sessions(): Promise<StoredSession[]>;

  /** Keep a new session. Resolves when it is durable; rejects with `session_already_exists`. */
  create(record: SessionRecord): Promise<void>;

  /** Keep another record of a session, in place of the one before. Resolves when it is durable. */
  update(record: SessionRecord): Promise<void>;

  /** Forget a session with all it has. Idempotent. */
  delete(sessionId: string): Promise<void>;

  /** The last sequence kept, 0 for none. */
  head(sessionId: string): number;

  /**
   * Keep a batch of events. Rejects a batch whose `first` is not `head + 1`. When it returns (or resolves) the batch
   * survives `kill -9`. May be synchronous, which is what makes a file the fastest driver.
   */
  append(sessionId: string, batch: EventBatch): void | Promise<void>;

  /**
   * Whole events after a sequence, at least one if there is any, about `maxBytes` of them and never more than
   * `maxEvents`. `position` is what the previous page returned as `next`, and spares looking the place up again. An event
   * longer than `maxLineBytes` may come in parts. One that is damaged comes as an `error` that says so.
   */
  read(sessionId: string, after: number, page: PageRequest): Promise<EventPage>;

  /** The agent's own payloads of events after a sequence, a page of lines as they were appended; empty at the end. */
  readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage>;

  /** Keep an admitted turn, in order of the calls. When it resolves the turn survives `kill -9`. */
  appendTurn(sessionId: string, turn: TurnRecord): Promise<void>;

  /** Keep that an admitted turn shall never run, behind it in the order of the calls. Survives `kill -9` when it resolves. */
  withdrawTurn(sessionId: string, withdrawal: TurnWithdrawal): Promise<void>;

  /** Make every turn appended to the session, every withdrawal, and the events that they come after durable. */
  syncTurns(sessionId: string): Promise<void>;

  /**
   * Every admitted turn, oldest first, and every withdrawal somewhere behind its turn, one at a time: together they may be
   * longer than the memory.
   */
  turns(sessionId: string): AsyncIterable<TurnEntry>;

  /**
   * Keep a summary of the session as of now, which `sessions` gives back. A hint that spares reading the log: it may be
   * lost, and `clean` says whether it still is the whole truth.
   */
  checkpoint(sessionId: string, snapshot: unknown): void;

  /**
   * Keep a small value beside the session, in place of the one before; `sessions` gives it back. When it returns the value
   * survives `kill -9`. After a power cut it may be gone.
   */
  remember(sessionId: string, memory: unknown): void | Promise<void>;

  /** Make every event appended to the session durable. */
  sync(sessionId: string): Promise<void>;

  /** Make everything durable and let go of the storage. Idempotent. */
  close(): Promise<void>;
}

export interface SessionRecord {
  readonly sessionId: string;
  /** Part of every `event_id` of the session. */
  readonly uid: string;
  readonly createdAt: number;
  /** What the owner of the session wants to find again; opaque to the store. */
  readonly config: unknown;
}

export interface StoredSession {
  readonly record: SessionRecord;
  readonly head: number;
  /** When something was last written, epoch milliseconds. */
  readonly updatedAt: number;
  /** The last checkpoint, if one was kept and can be read. */
  readonly snapshot: unknown;
  /** What `remember` kept last, `null` where there is nothing. */
  readonly memory: unknown;
  /** Nothing was appended, neither events nor turns, after the checkpoint. */
  readonly clean: boolean;
  /** The last sequence that there ever was, as far as is known: above `head` the log has lost events. */
  readonly knownHead: number;
  /** Why nothing can be added, if what is kept of it is damaged. It can be read as far as `head`, and deleted. */
  readonly problem?: unknown;
}

export interface EventBatch {
  readonly first: number;
  readonly count: number;
  /** `count` events, each one line of JSON with its newline: exactly the bytes readers get. */
  readonly lines: string;
  /** The agents' own payloads as lines `{"sequence":N,"raw":…}`, or empty. */
  readonly raw: string;
}

export interface PageRequest {
  readonly maxBytes: number;
  readonly maxEvents: number;
  readonly position?: number;
  /** Above this the driver may give a part of a line: a page with bytes and a count of 0. */
  readonly maxLineBytes?: number;
  /** The position is inside of a line: its next part is wanted. */
  readonly isInside?: boolean;
}

export interface RawPage extends Omit<EventPage, "first"> {
  /** No payload follows. */
  readonly isEnd: boolean;
}

export interface EventPage {
  /** `count` lines of JSON, each with its newline; with a count of 0 a part of a line. */
  readonly lines: Buffer;
  readonly first: number;
  readonly count: number;
  readonly next?: number;
}

export type TurnEntry = TurnRecord | TurnWithdrawal;

/** A turn that was taken back before it began. */
export interface TurnWithdrawal {
  readonly turnId: string;
  readonly withdrawnAt: number;
}

export function isWithdrawal(entry: TurnEntry): entry is TurnWithdrawal {
  return "withdrawnAt" in entry;
}

export interface TurnRecord {
  readonly turnId: string;
  readonly idempotencyKey?: string;
  /** The sender's own id of the message. */
  readonly messageId?: string;
  readonly message: string;
  readonly attachments: readonly { path: string; mime?: string; filename?: string }[];
  /** The head of the log when it was admitted: the turn happens behind it. */
  readonly after: number;
  readonly admittedAt: number;
}
