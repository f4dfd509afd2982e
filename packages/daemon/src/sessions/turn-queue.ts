import { randomBytes } from "node:crypto";
import { type MessageRequest, SandboxError } from "@sandbox-agent/protocol";
import type { EventStore, TurnRecord } from "@sandbox-agent/store";

/** Messages that may wait behind the running turn of a session. */
const maxQueuedTurns = 100;
/** How many idempotency keys of a session are remembered; older ones are forgotten first. */
const maxIdempotencyKeys = 1000;

/** The admitted messages of a session that have not been started, first in, first out, and the keys of those before. */
export class TurnQueue {
  readonly #store: EventStore;
  readonly #sessionId: string;
  #waiting: { turn: TurnRecord; kept: Promise<void> }[] = [];
  #keys: Map<string, TurnRecord> | undefined;
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
   * Take a message in, in order of arrival. Resolves when it is durable, with the first turn if the key was used before.
   * `after` is the end of the log now, behind which the turn will happen.
   */
  async admit(
    request: MessageRequest,
    key: string | undefined,
    after: () => number,
  ): Promise<{ turn: TurnRecord; repeated: boolean }> {
    const admission = this.#admission.then(async () => {
      const known = key === undefined ? undefined : (await this.#knownKeys()).get(key);
      if (known) return { turn: sameMessage(known, request), kept: undefined };
      return this.#push(request, key, after());
    });
    this.#admission = admission.catch(() => {});
    const { turn, kept } = await admission;
    await kept;
    return { turn, repeated: kept === undefined };
  }

  /** The next turn to run, once it is durable; undefined when none waits. One that could not be kept is passed over. */
  async next(): Promise<TurnRecord | undefined> {
    while (true) {
      const entry = this.#waiting[0];
      if (!entry) return undefined;
      const kept = await entry.kept.then(
        () => true,
        () => false,
      );
      if (this.#waiting[0] !== entry) continue;
      this.#waiting.shift();
      if (kept) return entry.turn;
    }
  }

  clear(): void {
    this.#waiting = [];
  }

  #push(request: MessageRequest, key: string | undefined, after: number): { turn: TurnRecord; kept: Promise<void> } {
    if (this.#waiting.length >= maxQueuedTurns) {
      throw new SandboxError(
        "too_many_requests",
        `${maxQueuedTurns} messages are waiting already. Send this one again when a turn has ended.`,
        { sessionId: this.#sessionId },
      );
    }
    const turn = turnRecord(request, key, after);
    const kept = this.#store.appendTurn(this.#sessionId, turn);
    kept.catch(() => key !== undefined && this.#keys?.delete(key));
    this.#waiting.push({ turn, kept });
    if (key !== undefined) this.#remember(key, turn);
    return { turn, kept };
  }

  async #knownKeys(): Promise<Map<string, TurnRecord>> {
    if (!this.#keys) {
      this.#keys = new Map();
      for (const turn of await this.#store.turns(this.#sessionId)) {
        if (turn.idempotencyKey !== undefined) this.#remember(turn.idempotencyKey, turn);
      }
    }
    return this.#keys;
  }

  #remember(key: string, turn: TurnRecord): void {
    if (!this.#keys) return;
    this.#keys.set(key, turn);
    if (this.#keys.size > maxIdempotencyKeys) this.#keys.delete(this.#keys.keys().next().value!);
  }
}

function turnRecord({ message, attachments }: MessageRequest, key: string | undefined, after: number): TurnRecord {
  return {
    turnId: `turn_${randomBytes(9).toString("base64url")}`,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    message,
    attachments: (attachments ?? []).map(({ path, mime, filename }) => ({
      path,
      ...(mime ? { mime } : {}),
      ...(filename ? { filename } : {}),
    })),
    after,
    admittedAt: Date.now(),
  };
}

function sameMessage(turn: TurnRecord, request: MessageRequest): TurnRecord {
  if (turn.message === request.message) return turn;
  throw new SandboxError(
    "invalid_request",
    "This Idempotency-Key was used for another message. Use a new key for a new message.",
  );
}
