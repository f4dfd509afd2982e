import { setTimeout as sleep } from "node:timers/promises";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import type { AcpAgent } from "./acp-agent.ts";
import type { AcpUpdate } from "./dialect.ts";

/** An agent that does not come to the end of what was goes on anyhow. */
const REPLAY_TIMEOUT_MS = 30_000;

/** What an agent tells of a conversation that it takes up again, where that goes on after it said that it has. */
export class Replay {
  readonly #endsReplay: ((update: AcpUpdate) => boolean) | undefined;
  readonly #ended: Promise<void>;
  #end!: () => void;

  constructor({ quirks }: AcpAgent) {
    this.#endsReplay = quirks?.endsReplay?.bind(quirks);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  take(calls: readonly JsonRpcCall[]): void {
    if (!this.#endsReplay) return;
    const updates = calls.map(({ params }) => ((params ?? {}) as { update?: AcpUpdate }).update ?? {});
    if (updates.some(this.#endsReplay)) this.#end();
  }

  /** Nothing more will come. */
  stop(): void {
    this.#end();
  }

  async over(): Promise<void> {
    if (!this.#endsReplay) return;
    const waiting = new AbortController();
    await Promise.race([this.#ended, sleep(REPLAY_TIMEOUT_MS, undefined, { ref: false, signal: waiting.signal })]);
    waiting.abort();
  }
}
