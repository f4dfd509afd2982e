import { createHash } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type EventStore, isWithdrawal, type TurnEntry, type TurnRecord } from "@sandbox-agent-ts/store";

/** How many messages of a session are remembered. Older keys are forgotten; about older turns the store is asked. */
const maxRemembered = 1000;

/** Which turn a message became, and where in the log it happens. */
export type AdmittedTurn = Pick<TurnRecord, "turnId" | "after">;

/** How the sender of a message names it. */
export interface MessageName {
  readonly idempotencyKey?: string | undefined;
  /** The turn's id, where the sender chose it. */
  readonly turnId?: string | undefined;
}

type MessageContent = Pick<TurnRecord, "message"> & Partial<Pick<TurnRecord, "attachments">>;

/** What is remembered of a message: not what it says, of which a thousand would fill the memory. */
export interface Admitted {
  readonly turn: AdmittedTurn;
  readonly digest: string;
  /** Settles when the store has it, or could not keep it. */
  readonly kept: Promise<void>;
}

interface Index {
  readonly byKey: Map<string, Admitted>;
  readonly byTurnId: Map<string, Admitted>;
  /** Of every turn there ever was. */
  readonly turnIds: Set<string>;
  readonly withdrawn: Set<string>;
}

/** Every message that a session has taken, to tell a retry from a new one. Nothing is read before somebody names one. */
export class AdmittedTurns {
  readonly #store: EventStore;
  readonly #sessionId: string;
  #index: Index | undefined;

  constructor(store: EventStore, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  /** The turn that this message was taken as before; rejects when its name belongs to another message. */
  async find(message: MessageContent, { idempotencyKey: key, turnId }: MessageName): Promise<Admitted | undefined> {
    if (key === undefined && turnId === undefined) return undefined;
    const found = await this.#find(message, key, turnId);
    if (found && (await this.isWithdrawn(found.turn.turnId))) throw withdrawn(this.#sessionId, found.turn.turnId);
    return found;
  }

  /** Whether there ever was such a turn. */
  async has(turnId: string): Promise<boolean> {
    return (await this.#read()).turnIds.has(turnId);
  }

  async isWithdrawn(turnId: string): Promise<boolean> {
    return (await this.#read()).withdrawn.has(turnId);
  }

  async #find(
    message: MessageContent,
    key: string | undefined,
    turnId: string | undefined,
  ): Promise<Admitted | undefined> {
    const index = await this.#read();
    const byKey = key === undefined ? undefined : index.byKey.get(key);
    if (byKey) {
      const isSame = byKey.digest === digestOf(message) && (turnId ?? byKey.turn.turnId) === byKey.turn.turnId;
      if (!isSame) throw keyUsed();
      return byKey;
    }
    const byTurnId = turnId === undefined ? undefined : await this.#byTurnId(turnId);
    if (byTurnId && byTurnId.digest !== digestOf(message)) throw turnIdUsed(this.#sessionId, byTurnId.turn.turnId);
    return byTurnId;
  }

  remember(turn: TurnRecord, kept: Promise<void>): void {
    if (this.#index) addTo(this.#index, turn, kept);
  }

  rememberWithdrawal(turnId: string): void {
    this.#index?.withdrawn.add(turnId);
  }

  /** What could not be kept was never admitted. */
  forget({ turnId, idempotencyKey: key }: TurnRecord): void {
    this.#index?.byTurnId.delete(turnId);
    this.#index?.turnIds.delete(turnId);
    if (key !== undefined) this.#index?.byKey.delete(key);
  }

  async #byTurnId(turnId: string): Promise<Admitted | undefined> {
    const recent = this.#index?.byTurnId.get(turnId);
    if (recent || !this.#index?.turnIds.has(turnId)) return recent;
    for await (const entry of this.#store.turns(this.#sessionId)) {
      if (entry.turnId === turnId && !isWithdrawal(entry)) return admitted(entry, Promise.resolve());
    }
    return undefined;
  }

  async #read(): Promise<Index> {
    this.#index ??= await this.#readAll();
    return this.#index;
  }

  async #readAll(): Promise<Index> {
    const index: Index = { byKey: new Map(), byTurnId: new Map(), turnIds: new Set(), withdrawn: new Set() };
    for await (const entry of this.#store.turns(this.#sessionId)) addTo(index, entry, Promise.resolve());
    return index;
  }
}

function addTo({ byKey, byTurnId, turnIds, withdrawn }: Index, turn: TurnEntry, kept: Promise<void>): void {
  if (isWithdrawal(turn)) {
    withdrawn.add(turn.turnId);
    return;
  }
  const entry = admitted(turn, kept);
  const { turnId, idempotencyKey: key } = turn;
  turnIds.add(turnId);
  setRecent(byTurnId, turnId, entry);
  if (key !== undefined) setRecent(byKey, key, entry);
}

function setRecent(map: Map<string, Admitted>, name: string, entry: Admitted): void {
  map.set(name, entry);
  if (map.size > maxRemembered) map.delete(map.keys().next().value!);
}

function admitted(turn: TurnRecord, kept: Promise<void>): Admitted {
  return { turn: { turnId: turn.turnId, after: turn.after }, digest: digestOf(turn), kept };
}

function digestOf({ message, attachments }: MessageContent): string {
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

function turnIdUsed(sessionId: string, turnId: string): SandboxError {
  const sentence = `Turn "${turnId}" of session "${sessionId}" has another message. Use a new turnId for a new message.`;
  return new SandboxError("turn_already_exists", sentence, { sessionId });
}

function withdrawn(sessionId: string, turnId: string): SandboxError {
  const sentence = `Turn "${turnId}" of session "${sessionId}" was withdrawn. Send the message under a new turnId and key.`;
  return new SandboxError("turn_already_exists", sentence, { sessionId });
}
