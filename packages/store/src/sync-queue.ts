import type { SessionLog } from "./session-log.ts";

/** Of the time that syncing takes, how much more the disk is left to those who append. */
const restFactor = 9;
const maxRestMs = 1000;

/**
 * Makes logs durable one after the other, with rests. A sync of one file makes everybody wait who appends to another: fifty
 * sessions that stream, synced all at once, had ten times the latency.
 */
export class SyncQueue {
  readonly #waiting = new Set<SessionLog>();
  readonly #onFailure: (log: SessionLog) => void;
  #isWorking = false;
  #wake: (() => void) | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(onFailure: (log: SessionLog) => void) {
    this.#onFailure = onFailure;
  }

  add(log: SessionLog): void {
    this.#waiting.add(log);
    if (!this.#isWorking) void this.#work();
  }

  delete(log: SessionLog): void {
    this.#waiting.delete(log);
  }

  /** Forget what waits; what is being synced comes to its end. */
  clear(): void {
    this.#waiting.clear();
    clearTimeout(this.#rest);
    this.#wake?.();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const log of this.#waiting) {
      this.#waiting.delete(log);
      const startedAt = performance.now();
      await log.sync().catch(() => this.#onFailure(log));
      if (this.#waiting.size > 0) await this.#sleep(restFactor * (performance.now() - startedAt));
    }
    this.#isWorking = false;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#rest = setTimeout(resolve, Math.min(ms, maxRestMs)).unref();
    });
  }
}
