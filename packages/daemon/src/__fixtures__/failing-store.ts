import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type EventBatch, MemoryStore, type SessionRecord, type TurnRecord } from "@sandbox-agent-ts/store";

export const diskFull = "The disk is full: free some space and try again.";
export const diskBroken = "The disk could not be written: look at it and try again.";

/** A store on a disk that can be full, for everything or only for what is large. */
export class FailingStore extends MemoryStore {
  /** The largest batch that still fits. */
  room = Number.POSITIVE_INFINITY;
  hasRoomForSessions = true;
  canSync = true;
  #onRefusal: (() => void) | undefined;

  override append(sessionId: string, batch: EventBatch): void | Promise<void> {
    this.#check(batch.lines);
    return super.append(sessionId, batch);
  }

  override async appendTurn(sessionId: string, turn: TurnRecord): Promise<void> {
    this.#check(JSON.stringify(turn));
    await super.appendTurn(sessionId, turn);
  }

  override async syncTurns(): Promise<void> {
    if (!this.canSync) throw new SandboxError("internal_error", diskBroken);
  }

  override async create(record: SessionRecord): Promise<void> {
    if (!this.hasRoomForSessions) throw this.#refuse();
    await super.create(record);
  }

  /** Resolves when something more was refused. */
  refused(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRefusal = resolve;
    });
  }

  #check(text: string): void {
    if (text.length > this.room) throw this.#refuse();
  }

  #refuse(): SandboxError {
    this.#onRefusal?.();
    return new SandboxError("internal_error", diskFull, { details: { errno: "ENOSPC" } });
  }
}
