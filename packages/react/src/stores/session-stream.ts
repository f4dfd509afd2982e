import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { type SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { asError } from "./as-error.ts";
import { nextFrame } from "./next-frame.ts";

/** A page waits for its daemon as long as it is open. */
export const RECONNECT = { retries: Number.POSITIVE_INFINITY, baseMs: 250, maxMs: 5_000 };

/** A daemon that refuses the token may be replaced by one that takes it. */
export const REFUSED_PAUSE_MS = 5_000;

/**
 * A session that is not there is looked for again, with pauses that double from the first to the second. The list of
 * sessions usually tells sooner.
 */
const MISSING_BASE_MS = 500;
const MISSING_MAX_MS = 30_000;

export type StreamState = "connecting" | "live" | "reconnecting" | "refused" | "missing" | "failed";

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
  #attempts = 0;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
  }

  start(after: number): void {
    this.#abort?.abort();
    clearTimeout(this.#retryTimer);
    this.#abort = new AbortController();
    if (this.#attempts === 0) this.#options.onState("connecting");
    void this.#follow(after, this.#abort.signal);
  }

  stop(): void {
    this.#abort?.abort();
    clearTimeout(this.#retryTimer);
    this.#attempts = 0;
    this.#deliver();
  }

  async #follow(after: number, signal: AbortSignal): Promise<void> {
    const { client, sessionId, onState } = this.#options;
    const onConnection = (state: "live" | "reconnecting", failure?: unknown) => {
      if (state === "live") this.#attempts = 0;
      onState(state, failure === undefined ? undefined : asError(failure));
    };
    let offset = after;
    try {
      const events = client.streamEvents(sessionId, { offset }, { signal, reconnect: RECONNECT, onConnection });
      for await (const event of events) {
        offset = event.sequence;
        this.#take(event);
      }
    } catch (failure) {
      if (signal.aborted) return;
      this.#deliver();
      const state = stateAfter(failure);
      if (state !== "failed") this.#tryAgain(state, offset);
      onState(state, asError(failure));
    }
  }

  #tryAgain(state: "missing" | "refused", after: number): void {
    const missingPause = Math.min(MISSING_MAX_MS, MISSING_BASE_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    this.#retryTimer = setTimeout(() => this.start(after), state === "missing" ? missingPause : REFUSED_PAUSE_MS);
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

function stateAfter(failure: unknown): "missing" | "refused" | "failed" {
  if (!(failure instanceof SandboxAgentError)) return "failed";
  if (failure.status === 401) return "refused";
  return failure.code === "session_not_found" ? "missing" : "failed";
}
