import { LogReaders } from "@sandbox-agent-ts/store";
import type { RuntimeStore } from "../store/runtime-store.ts";

/** One `LogReaders` per session for as long as somebody holds it, so that who writes wakes everybody who follows. */
export class SessionLogs {
  readonly #store: RuntimeStore;
  readonly #readers = new Map<string, WeakRef<LogReaders>>();
  readonly #gone = new FinalizationRegistry<string>((sessionId) => {
    if (this.#readers.get(sessionId)?.deref() === undefined) this.#readers.delete(sessionId);
  });

  constructor(store: RuntimeStore) {
    this.#store = store;
  }

  /** `head` is what the store says, and counts only when nobody holds the session's readers yet. */
  of(sessionId: string, head: number): LogReaders {
    const known = this.#readers.get(sessionId)?.deref();
    if (known) return known;
    const readers = new LogReaders(this.#store, sessionId, head);
    this.#readers.set(sessionId, new WeakRef(readers));
    this.#gone.register(readers, sessionId);
    return readers;
  }

  /** The session is no more: who follows it comes to an end, and one of the same id begins anew. */
  forget(sessionId: string): void {
    this.#readers.get(sessionId)?.deref()?.finish();
    this.#readers.delete(sessionId);
  }
}
