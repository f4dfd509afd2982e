import { setTimeout as delay } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Logger } from "@sandbox-agent-ts/server";

const firstWaitMs = 50;
const longestWaitMs = 10_000;
/** A session that fails again within this time is loaded again later than the time before. */
const steadyMs = 60_000;

export interface SessionRevivalsOptions {
  readonly load: (sessionId: string) => Promise<unknown>;
  readonly log: Logger;
  /** Who holds a session for longer than this is alive and keeps it. */
  readonly patienceMs: number;
}

/** Loads sessions that the store did not read or write again, by itself and ever more slowly, until it does. */
export class SessionRevivals {
  readonly #options: SessionRevivalsOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #lately = new Map<string, { readonly waitMs: number; readonly at: number }>();
  readonly #abort = new AbortController();

  constructor(options: SessionRevivalsOptions) {
    this.#options = options;
  }

  begin(sessionId: string): void {
    if (this.#abort.signal.aborted || this.#running.has(sessionId)) return;
    const running = this.#run(sessionId).finally(() => this.#running.delete(sessionId));
    this.#running.set(sessionId, running);
  }

  /** Resolves when none is under way. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#running.values());
  }

  async #run(sessionId: string): Promise<void> {
    const { load, log, patienceMs } = this.#options;
    const { signal } = this.#abort;
    const begun = performance.now();
    for (let waitMs = this.#firstWaitOf(sessionId); ; waitMs = longer(waitMs)) {
      await delay(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await load(sessionId);
        this.#lately.set(sessionId, { waitMs, at: performance.now() });
        return;
      } catch (err) {
        const code = err instanceof SandboxError ? err.code : undefined;
        const isHeld = code === "too_many_requests" && performance.now() - begun > patienceMs;
        if (isHeld || code === "session_not_found") return;
        log.warn({ err, sessionId, waitMs }, "a session could not be loaded again yet");
      }
    }
  }

  #firstWaitOf(sessionId: string): number {
    const now = performance.now();
    for (const [id, { at }] of this.#lately) if (now - at > steadyMs) this.#lately.delete(id);
    const last = this.#lately.get(sessionId);
    return last ? longer(last.waitMs) : firstWaitMs;
  }
}

function longer(waitMs: number): number {
  return Math.min(2 * waitMs, longestWaitMs);
}
