import { setTimeout as sleep } from "node:timers/promises";
import { SandboxProviderError } from "./sandbox-provider.ts";

export interface SandboxPoolOptions {
  /** How many sandboxes of a template are ready and nobody's, as the store has it: other processes make and claim too. */
  readonly ready: (template: string) => Promise<number>;
  /** Make one more; when it resolves `ready` counts it. After an abort nothing of it may be left. */
  readonly make: (template: string, signal: AbortSignal) => Promise<unknown>;
  /** How many are made at once, over all templates. */
  readonly maxAtOnce?: number | undefined;
  /** How long it waits after a failure: twice as long after each further one, up to the longest. */
  readonly firstPauseMs?: number | undefined;
  readonly longestPauseMs?: number | undefined;
  /** How long after a claim it begins to make another: the session that claimed has the processor to itself meanwhile. */
  readonly restMs?: number | undefined;
  readonly onProblem?: ((template: string, error: unknown) => void) | undefined;
  /** For tests. */
  readonly pause?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Keeps sandboxes ready, so that a session need not wait for one. Which are there and whose they are is in the store; the
 * pool only makes what is missing, in the background.
 */
export class SandboxPool {
  readonly #options: SandboxPoolOptions;
  readonly #sizes = new Map<string, number>();
  readonly #refills = new Map<string, Refill>();
  readonly #end = new AbortController();
  readonly #slots: Slots;

  constructor(options: SandboxPoolOptions) {
    this.#options = options;
    this.#slots = new Slots(options.maxAtOnce ?? 2);
  }

  /** Keep so many of this template ready from now on. Those above it stay until they are claimed. */
  keep(template: string, size: number): void {
    this.#sizes.set(template, size);
    this.#refill(template);
  }

  /** Take one with the store's own atomic claim; undefined when none is ready. Whatever comes, it is made up for. */
  async claim<T>(template: string, take: () => Promise<T | undefined>): Promise<T | undefined> {
    if ((this.#sizes.get(template) ?? 0) === 0) return undefined;
    try {
      return await take();
    } finally {
      this.#refill(template, this.#options.restMs ?? 500);
    }
  }

  /** Resolves when as many as wanted are ready, or nobody is at work on it any more. */
  async settled(template: string): Promise<void> {
    await this.#refills.get(template)?.done;
  }

  /** Stop making; what is ready stays. Resolves when nothing is under way. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all([...this.#refills.values()].map(({ done }) => done));
  }

  #refill(template: string, restMs = 0): void {
    if (this.#end.signal.aborted) return;
    const running = this.#refills.get(template);
    if (running !== undefined) {
      running.isAskedAgain = true;
      return;
    }
    const refill: Refill = { isAskedAgain: false, done: Promise.resolve() };
    this.#refills.set(template, refill);
    refill.done = this.#run(template, refill, restMs).finally(() => this.#refills.delete(template));
  }

  async #run(template: string, refill: Refill, restMs: number): Promise<void> {
    const { firstPauseMs = 1_000, longestPauseMs = 60_000, onProblem, pause = pauseFor } = this.#options;
    const { signal } = this.#end;
    let pauseMs = firstPauseMs;
    if (restMs > 0) await pause(restMs, signal);
    do {
      refill.isAskedAgain = false;
      const problems = await this.#makeMissing(template);
      if (signal.aborted) return;
      if (problems.length === 0) {
        pauseMs = firstPauseMs;
        continue;
      }
      for (const error of problems) onProblem?.(template, error);
      await pause(Math.max(pauseMs, ...problems.map(retryAfterOf)), signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      refill.isAskedAgain = true;
    } while (refill.isAskedAgain && !signal.aborted);
  }

  /** Answers what went wrong. */
  async #makeMissing(template: string): Promise<unknown[]> {
    const { signal } = this.#end;
    try {
      const missing = (this.#sizes.get(template) ?? 0) - (await this.#options.ready(template));
      const makeOne = () => this.#slots.use(async () => signal.aborted || this.#options.make(template, signal));
      const outcomes = await Promise.allSettled(Array.from({ length: Math.max(0, missing) }, makeOne));
      return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    } catch (error) {
      return [error];
    }
  }
}

/** A service that says how long it wants to be left alone is. */
const retryAfterOf = (error: unknown) => (error instanceof SandboxProviderError ? (error.retryAfterMs ?? 0) : 0);

interface Refill {
  isAskedAgain: boolean;
  done: Promise<void>;
}

/** So many at a time, the others in order. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
