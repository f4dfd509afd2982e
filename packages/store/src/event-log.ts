import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventStore, SessionRecord } from "./event-store.ts";
import { SessionLog } from "./session-log.ts";
import { SyncQueue } from "./sync-queue.ts";

/** All logs of one store. Keeps the time-driven chores of every session in one timer. */
export class EventLog {
  readonly store: EventStore;
  readonly #logs = new Map<string, SessionLog>();
  readonly #dirty = new Set<SessionLog>();
  readonly #syncs = new SyncQueue((log) => this.#markDirty(log));
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(store: EventStore) {
    this.store = store;
  }

  /** Begin to serve a session that the store keeps. */
  open(record: SessionRecord, nativeSessionId: string | null): SessionLog {
    const log = new SessionLog(this.store, record, nativeSessionId, (written) => this.#markDirty(written));
    this.#logs.set(record.sessionId, log);
    return log;
  }

  get(sessionId: string): SessionLog {
    const log = this.#logs.get(sessionId);
    if (!log) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
    return log;
  }

  /** Stop serving a session and end its followers. */
  forget(sessionId: string): void {
    const log = this.#logs.get(sessionId);
    if (!log) return;
    this.#logs.delete(sessionId);
    this.#dirty.delete(log);
    this.#syncs.delete(log);
    log.finish();
  }

  /** Write what waits to be written, end all followers and close the store. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#syncs.clear();
    const logs = [...this.#logs.values()];
    for (const log of logs) log.finish();
    await Promise.all(logs.map((log) => log.settled()));
    await this.store.close();
  }

  #markDirty(log: SessionLog): void {
    if (this.#closed || this.#logs.get(log.sessionId) !== log) return;
    this.#dirty.add(log);
    this.#timer ??= setTimeout(() => this.#chores(), choresEveryMs).unref();
  }

  /** What was written in the last second becomes durable when its turn comes, and what was kept for live readers is let go. */
  #chores(): void {
    this.#timer = undefined;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const log of dirty) {
      log.dropTail();
      this.#syncs.add(log);
    }
  }
}

const choresEveryMs = 1000;
