import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { type SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { asError } from "./as-error.ts";
import { nextFrame } from "./next-frame.ts";

/** A page waits for its daemon as long as it is open. */
export const RECONNECT = { retries: Number.POSITIVE_INFINITY, baseMs: 250, maxMs: 5_000 };

/**
 * A session that is not there is looked for again, with pauses that double from the first to the second. The list of
 * sessions usually tells sooner.
 */
const MISSING_BASE_MS = 500;
const MISSING_MAX_MS = 30_000;

export type StreamState = "connecting" | "live" | "reconnecting" | "missing" | "failed";

export interface SessionStreamOptions {
  readonly client: SandboxAgent;
  readonly sessionId: string;
  /** Everything that arrived since the last frame. */
  readonly onEvents: (events: readonly UniversalEvent[]) => void;
  readonly onState: (state: StreamState, error?: Error) => void;
}

/** One session's events, handed on at most once per frame. Can be stopped and started again, and then goes on. */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  #abort: AbortController | undefined;
  #arrived: UniversalEvent[] = [];
  #cancelFrame: (() => void) | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #misses = 0;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
  }

  start(after: number): void {
    this.#abort?.abort();
    clearTimeout(this.#retryTimer);
    this.#abort = new AbortController();
    if (this.#misses === 0) this.#options.onState("connecting");
    void this.#follow(after, this.#abort.signal);
  }

  stop(): void {
    this.#abort?.abort();
    clearTimeout(this.#retryTimer);
    this.#misses = 0;
    this.#deliver();
  }

  async #follow(offset: number, signal: AbortSignal): Promise<void> {
    const { client, sessionId, onState } = this.#options;
    const onConnection = (state: "live" | "reconnecting", failure?: unknown) =>
      onState(state, failure === undefined ? undefined : asError(failure));
    let isMissing = false;
    try {
      const events = client.streamEvents(sessionId, { offset }, { signal, reconnect: RECONNECT, onConnection });
      for await (const event of events) {
        this.#misses = 0;
        this.#take(event);
      }
    } catch (failure) {
      if (signal.aborted) return;
      this.#deliver();
      isMissing = failure instanceof SandboxAgentError && failure.code === "session_not_found";
      onState(isMissing ? "missing" : "failed", asError(failure));
    }
    if (!isMissing || signal.aborted) return;
    const pause = Math.min(MISSING_MAX_MS, MISSING_BASE_MS * 2 ** this.#misses);
    this.#misses += 1;
    this.#retryTimer = setTimeout(() => this.start(offset), pause);
  }

  #take(event: UniversalEvent): void {
    this.#arrived.push(event);
    this.#cancelFrame ??= nextFrame(() => this.#deliver());
  }

  #deliver(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const arrived = this.#arrived;
    if (arrived.length === 0) return;
    this.#arrived = [];
    this.#options.onEvents(arrived);
  }
}
