import type { QueuedMessage } from "./outbox.ts";

interface Remembered {
  /** Of the session: another one of the same name knows nothing of these messages. */
  readonly createdAt: number;
  readonly queued: readonly QueuedMessage[];
}

/** The messages of a session that wait, kept over a reload of the page, because no daemon tells which ones wait. */
export class QueueMemory {
  readonly #key: string;

  constructor(baseUrl: string, sessionId: string) {
    this.#key = `sandbox-agent.queued.${baseUrl}.${sessionId}`;
  }

  read(createdAt: number): readonly QueuedMessage[] {
    const text = attempt(() => sessionStorage.getItem(this.#key));
    const remembered = attempt(() => JSON.parse(text ?? "null") as Remembered | null);
    return remembered?.createdAt === createdAt ? remembered.queued : [];
  }

  write(createdAt: number, queued: readonly QueuedMessage[]): void {
    const remembered: Remembered = { createdAt, queued };
    attempt(() => {
      if (queued.length === 0) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, JSON.stringify(remembered));
    });
  }
}

/** Outside of browsers there is no storage, a page may be denied it, and it may be full: then nothing is remembered. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
