import { randomBytes } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventStore, TurnRecord } from "@sandbox-agent-ts/store";
import { type Admitted, type AdmittedTurn, AdmittedTurns, type MessageName } from "./admitted-turns.ts";

/** Messages that may wait behind the running turn of a session. */
const maxQueuedTurns = 100;
/** And how much text they may have together, in UTF-16 code units. */
const maxQueuedText = 64 * 1024 * 1024;

/** A message whose attachments are files. */
export interface IncomingMessage extends MessageName {
  readonly message: string;
  readonly attachments?: TurnRecord["attachments"];
  readonly messageId?: string | undefined;
}

interface Waiting {
  readonly turn: TurnRecord;
  /** Settles when the store has it, or could not keep it. */
  readonly kept: Promise<void>;
  /** Aborted when it is taken back. */
  readonly withdrawn: AbortController;
}

/** A message that is taken: its turn may run, and its sender may be told so when it is durable. */
export interface Admission {
  readonly turn: AdmittedTurn;
  durable(): Promise<void>;
}

/** The admitted messages of a session that have not been started, first in, first out, and the keys of those before. */
export class TurnQueue {
  readonly #store: EventStore;
  readonly #sessionId: string;
  #waiting: Waiting[] = [];
  readonly #admitted: AdmittedTurns;
  #admission: Promise<unknown> = Promise.resolve();

  constructor(store: EventStore, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#admitted = new AdmittedTurns(store, sessionId);
  }

  /** Begin with turns that the store has already. */
  restore(waiting: readonly TurnRecord[]): void {
    this.#waiting = waiting.map((turn) => ({ turn, kept: Promise.resolve(), withdrawn: new AbortController() }));
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** How long the waiting messages are together. */
  get textLength(): number {
    return this.#waiting.reduce((sum, { turn }) => sum + turn.message.length, 0);
  }

  /**
   * Take a message in, in order of arrival. Resolves when it survives `kill -9`, with the first turn if it was taken under
   * this name before. `after` is the end of the log now, behind which the turn will happen.
   */
  async admit(request: IncomingMessage, after: () => number): Promise<Admission> {
    const admission = this.#admission.then(
      async () => (await this.#admitted.find(request, request)) ?? this.#push(request, after()),
    );
    this.#admission = admission.catch(() => {});
    return this.#whenKept(await admission);
  }

  /** The turn that this message was admitted as before. */
  async find(request: IncomingMessage): Promise<Admission | undefined> {
    const known = await this.#admitted.find(request, request);
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

  /** Whether it still waited, so that it may run now. */
  take(turn: TurnRecord): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((waiting) => waiting.turn !== turn);
    return this.#waiting.length < before;
  }

  get waiting(): readonly TurnRecord[] {
    return this.#waiting.map(({ turn }) => turn);
  }

  /** Aborted when the turn is taken back; undefined when it does not wait. */
  withdrawal(turnId: string): AbortSignal | undefined {
    return this.#waiting.find(({ turn }) => turn.turnId === turnId)?.withdrawn.signal;
  }

  /**
   * Take a waiting turn back: it does not run any more, and after a restart neither. Resolves when that is durable, with
   * what was known of the turn.
   */
  async withdraw(turnId: string): Promise<"withdrawn" | "begun" | "unknown"> {
    const entry = this.#waiting.find(({ turn }) => turn.turnId === turnId);
    if (!entry) return this.#whyNotWaiting(turnId);
    await entry.kept;
    const place = this.#waiting.indexOf(entry);
    if (!this.take(entry.turn)) return this.#whyNotWaiting(turnId);
    try {
      await this.#store.withdrawTurn(this.#sessionId, { turnId, withdrawnAt: Date.now() });
    } catch (error) {
      this.#waiting.splice(Math.min(place, this.#waiting.length), 0, entry);
      throw error;
    }
    this.#admitted.rememberWithdrawal(turnId);
    entry.withdrawn.abort();
    await this.#store.syncTurns(this.#sessionId);
    return "withdrawn";
  }

  async #whyNotWaiting(turnId: string): Promise<"withdrawn" | "begun" | "unknown"> {
    if (await this.#admitted.isWithdrawn(turnId)) return "withdrawn";
    return (await this.#admitted.has(turnId)) ? "begun" : "unknown";
  }

  clear(): void {
    this.#waiting = [];
  }

  async #whenKept({ turn, kept }: Pick<Admitted, "turn" | "kept">): Promise<Admission> {
    await kept;
    return { turn, durable: () => this.#store.syncTurns(this.#sessionId) };
  }

  #push(request: IncomingMessage, after: number): Waiting {
    this.#refuseIfFull(request);
    const turn = turnRecord(request, after);
    const kept = this.#store.appendTurn(this.#sessionId, turn);
    const waiting = { turn, kept, withdrawn: new AbortController() };
    waiting.kept.catch(() => this.#forget(waiting));
    this.#waiting.push(waiting);
    this.#admitted.remember(turn, waiting.kept);
    return waiting;
  }

  #refuseIfFull({ message }: IncomingMessage): void {
    const { length } = this.#waiting;
    const text = this.textLength + message.length;
    if (length < maxQueuedTurns && (length === 0 || text <= maxQueuedText)) return;
    const many = length < maxQueuedTurns ? "Messages of more than 64 MB" : `${maxQueuedTurns} messages`;
    const sentence = `${many} are waiting already. Send this one again when a turn has ended.`;
    throw new SandboxError("too_many_requests", sentence, { sessionId: this.#sessionId });
  }

  /** What could not be kept was never admitted. */
  #forget(refused: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== refused);
    this.#admitted.forget(refused.turn);
  }
}

function turnRecord({ turnId, idempotencyKey, messageId, ...request }: IncomingMessage, after: number): TurnRecord {
  return {
    turnId: turnId ?? `turn_${randomBytes(9).toString("base64url")}`,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(messageId === undefined ? {} : { messageId }),
    message: request.message,
    attachments: request.attachments ?? [],
    after,
    admittedAt: Date.now(),
  };
}
