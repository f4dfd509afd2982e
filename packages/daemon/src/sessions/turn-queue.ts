import { randomBytes } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventStore, TurnRecord } from "@sandbox-agent-ts/store";

/** Messages that may wait behind the running turn of a session. */
const maxQueuedTurns = 100;
/** How many idempotency keys of a session are remembered; older ones are forgotten first. */
const maxIdempotencyKeys = 1000;

/** A message whose attachments are files. */
export interface IncomingMessage {
  readonly message: string;
  readonly attachments?: TurnRecord["attachments"];
  readonly messageId?: string | undefined;
}

interface Admitted {
  readonly turn: TurnRecord;
  /** Settles when the store has it, or could not keep it. */
  readonly kept: Promise<void>;
}

/** A message that is taken: its turn may run, and its sender may be told so when it is durable. */
export interface Admission {
  readonly turn: TurnRecord;
  durable(): Promise<void>;
}

/** The admitted messages of a session that have not been started, first in, first out, and the keys of those before. */
export class TurnQueue {
  readonly #store: EventStore;
  readonly #sessionId: string;
  #waiting: Admitted[] = [];
  #keys: Map<string, Admitted> | undefined;
  #admission: Promise<unknown> = Promise.resolve();

  constructor(store: EventStore, sessionId: string, waiting: readonly TurnRecord[]) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#waiting = waiting.map((turn) => ({ turn, kept: Promise.resolve() }));
  }

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Take a message in, in order of arrival. Resolves when it survives `kill -9`, with the first turn if the key was used
   * before. `after` is the end of the log now, behind which the turn will happen.
   */
  async admit(request: IncomingMessage, key: string | undefined, after: () => number): Promise<Admission> {
    const admission = this.#admission.then(
      async () => (await this.#known(request, key)) ?? this.#push(request, key, after()),
    );
    this.#admission = admission.catch(() => {});
    return this.#whenKept(await admission);
  }

  /** The turn that a message with this key was admitted as before. */
  async find(request: IncomingMessage, key: string | undefined): Promise<Admission | undefined> {
    const known = await this.#known(request, key);
    return known && this.#whenKept(known);
  }

  /** The turn to run next, once the store has it; undefined when none waits. It waits until it is taken. */
  async first(): Promise<TurnRecord | undefined> {
    while (true) {
      const entry = this.#waiting[0];
      if (!entry) return undefined;
      await entry.kept.catch(() => {});
      if (this.#waiting[0] === entry) return entry.turn;
    }
  }

  take(turn: TurnRecord): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.turn !== turn);
  }

  clear(): void {
    this.#waiting = [];
  }

  async #whenKept({ turn, kept }: Admitted): Promise<Admission> {
    await kept;
    return { turn, durable: () => this.#store.syncTurns(this.#sessionId) };
  }

  #push(request: IncomingMessage, key: string | undefined, after: number): Admitted {
    if (this.#waiting.length >= maxQueuedTurns) {
      throw new SandboxError(
        "too_many_requests",
        `${maxQueuedTurns} messages are waiting already. Send this one again when a turn has ended.`,
        { sessionId: this.#sessionId },
      );
    }
    const turn = turnRecord(request, key, after);
    const admitted = { turn, kept: this.#store.appendTurn(this.#sessionId, turn) };
    admitted.kept.catch(() => this.#forget(admitted));
    this.#waiting.push(admitted);
    if (key !== undefined) this.#remember(key, admitted);
    return admitted;
  }

  /** What could not be kept was never admitted. */
  #forget(admitted: Admitted): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== admitted);
    const { idempotencyKey: key } = admitted.turn;
    if (key !== undefined) this.#keys?.delete(key);
  }

  async #known(request: IncomingMessage, key: string | undefined): Promise<Admitted | undefined> {
    const known = key === undefined ? undefined : (await this.#knownKeys()).get(key);
    if (known && !isSameMessage(known.turn, request)) throw keyUsed();
    return known;
  }

  async #knownKeys(): Promise<Map<string, Admitted>> {
    if (!this.#keys) {
      const turns = await this.#store.turns(this.#sessionId);
      this.#keys = new Map();
      for (const turn of turns) {
        if (turn.idempotencyKey !== undefined) this.#remember(turn.idempotencyKey, { turn, kept: Promise.resolve() });
      }
    }
    return this.#keys;
  }

  #remember(key: string, admitted: Admitted): void {
    if (!this.#keys) return;
    this.#keys.set(key, admitted);
    if (this.#keys.size > maxIdempotencyKeys) this.#keys.delete(this.#keys.keys().next().value!);
  }
}

function turnRecord(request: IncomingMessage, key: string | undefined, after: number): TurnRecord {
  return {
    turnId: `turn_${randomBytes(9).toString("base64url")}`,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(request.messageId === undefined ? {} : { messageId: request.messageId }),
    message: request.message,
    attachments: request.attachments ?? [],
    after,
    admittedAt: Date.now(),
  };
}

function isSameMessage(turn: TurnRecord, request: IncomingMessage): boolean {
  return (
    turn.message === request.message && JSON.stringify(turn.attachments) === JSON.stringify(request.attachments ?? [])
  );
}

function keyUsed(): SandboxError {
  return new SandboxError(
    "invalid_request",
    "This Idempotency-Key was used for another message. Use a new key for a new message.",
  );
}
