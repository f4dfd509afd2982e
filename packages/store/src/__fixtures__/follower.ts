import { setImmediate as nextGo } from "node:timers/promises";
import type { EventChunk } from "../event-chunk.ts";
import type { SessionLog } from "../session-log.ts";

/**
 * Reads a log like a client: it can drop and resume where it was, and remembers every event it was given. A slow one takes
 * `pause` goes of the event loop for each chunk.
 */
export class Follower {
  readonly start: number;
  readonly seen: number[] = [];
  readonly #log: SessionLog;
  readonly #raw: boolean;
  readonly #pause: number;
  #abort = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(log: SessionLog, after = 0, { raw = false, pause = 0 } = {}) {
    this.#log = log;
    this.#raw = raw;
    this.#pause = pause;
    this.start = after;
    this.resume();
  }

  get cursor(): number {
    return this.seen.at(-1) ?? this.start;
  }

  /** Resolves when the log has ended, or the follower has dropped. */
  get ended(): Promise<void> {
    return this.#loop;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async drop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
  }

  resume(): void {
    this.#abort = new AbortController();
    this.#loop = this.#read(this.#abort.signal);
  }

  async #read(signal: AbortSignal): Promise<void> {
    for await (const chunk of this.#log.follow(this.cursor, { signal, raw: this.#raw })) {
      this.seen.push(...sequencesOf(chunk));
      for (let go = 0; go < this.#pause; go++) await nextGo();
    }
  }
}

/** The numbers that the lines of a chunk really carry. */
export function sequencesOf(chunk: EventChunk): number[] {
  const lines = chunk.bytes.toString("utf8").split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { sequence: number }).sequence);
}

/** after + 1 … through */
export const range = (after: number, through: number): number[] =>
  Array.from({ length: Math.max(0, through - after) }, (_, index) => after + 1 + index);
