import { createHash, randomBytes } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventStore, TurnRecord } from "@sandbox-agent-ts/store";

/** Messages that may wait behind the running turn of a session. */
const maxQueuedTurns = 100;
/** And how much text they may have together, in UTF-16 code units. */
const maxQueuedText = 64 * 1024 * 1024;
/** How many idempotency keys of a session are remembered; older ones are forgotten first. */
const maxIdempotencyKeys = 1000;

/** A message whose attachments are files. */
export interface IncomingMessage {
  readonly message: string;
  readonly attachments?: TurnRecord["attachments"];
  readonly messageId?: string | undefined;
}

interface Waiting {
  readonly turn: TurnRecord;
  /** Settles when the store has it, or could not keep it. */
  readonly kept: Promise<void>;
}

/** Which turn a message became, and where in the log it happens. */
export type AdmittedTurn = Pick<TurnRecord, "turnId" | "after">;

/** What is remembered of a message with a key: not the message, of which a thousand would fill the memory. */
interface Admitted {
  readonly turn: AdmittedTurn;
  readonly digest: string;
  readonly kept: Promise<void>;
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
  #keys: Map<string, Admitted> | undefined;
  #admission: Promise<unknown> = Promise.resolve();

  constructor(store: EventStore, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  /** Begin with turns that the store has already. */
  restore(waiting: readonly TurnRecord[]): void {
    this.#waiting = waiting.map((turn) => ({ turn, kept: Promise.resolve() }));
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** How long the waiting messages are together. */
  get textLength(): number {
    return this.#waiting.reduce((sum, { turn }) => sum + turn.message.length, 0);
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

  async #whenKept({ turn, kept }: Pick<Admitted, "turn" | "kept">): Promise<Admission> {
    await kept;
    return { turn, durable: () => this.#store.syncTurns(this.#sessionId) };
  }

  #push(request: IncomingMessage, key: string | undefined, after: number): Waiting {
    this.#refuseIfFull(request);
    const turn = turnRecord(request, key, after);
    const waiting = { turn, kept: this.#store.appendTurn(this.#sessionId, turn) };
    waiting.kept.catch(() => this.#forget(waiting));
    this.#waiting.push(waiting);
    this.#remember(turn, waiting.kept);
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
    const { idempotencyKey: key } = refused.turn;
    if (key !== undefined) this.#keys?.delete(key);
  }

  async #known(request: IncomingMessage, key: string | undefined): Promise<Admitted | undefined> {
    const known = key === undefined ? undefined : (await this.#knownKeys()).get(key);
    if (known && known.digest !== digestOf(request)) throw keyUsed();
    return known;
  }

  async #knownKeys(): Promise<Map<string, Admitted>> {
    this.#keys ??= await this.#readKeys();
    return this.#keys;
  }

  async #readKeys(): Promise<Map<string, Admitted>> {
    const keys = new Map<string, Admitted>();
    for await (const turn of this.#store.turns(this.#sessionId)) rememberKey(keys, turn, Promise.resolve());
    return keys;
  }

  #remember(turn: TurnRecord, kept: Promise<void>): void {
    if (this.#keys) rememberKey(this.#keys, turn, kept);
  }
}

function rememberKey(keys: Map<string, Admitted>, turn: TurnRecord, kept: Promise<void>): void {
  const { turnId, after, idempotencyKey: key } = turn;
  if (key === undefined) return;
  keys.set(key, { turn: { turnId, after }, digest: digestOf(turn), kept });
  if (keys.size > maxIdempotencyKeys) keys.delete(keys.keys().next().value!);
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

function digestOf({ message, attachments }: Pick<IncomingMessage, "message" | "attachments">): string {
  return createHash("sha256")
    .update(message)
    .update(`\0${JSON.stringify(attachments ?? [])}`)
    .digest("base64");
}

function keyUsed(): SandboxError {
  return new SandboxError(
    "invalid_request",
    "This Idempotency-Key was used for another message. Use a new key for a new message.",
  );
}
