import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { asError } from "./as-error.ts";
import { nextFrame } from "./next-frame.ts";

/** A page waits for its daemon as long as it is open. */
const RECONNECT = { retries: Number.POSITIVE_INFINITY, baseMs: 250, maxMs: 5_000 };

export type StreamState = "connecting" | "live" | "reconnecting" | "failed";

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

  constructor(options: SessionStreamOptions) {
    this.#options = options;
  }

  start(after: number): void {
    this.#abort = new AbortController();
    this.#options.onState("connecting");
    void this.#follow(after, this.#abort.signal);
  }

  stop(): void {
    this.#abort?.abort();
    this.#deliver();
  }

  async #follow(offset: number, signal: AbortSignal): Promise<void> {
    const { client, sessionId, onState } = this.#options;
    const onConnection = (state: "live" | "reconnecting", failure?: unknown) =>
      onState(state, failure === undefined ? undefined : asError(failure));
    try {
      const events = client.streamEvents(sessionId, { offset }, { signal, reconnect: RECONNECT, onConnection });
      for await (const event of events) this.#take(event);
    } catch (failure) {
      if (signal.aborted) return;
      this.#deliver();
      onState("failed", asError(failure));
    }
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
