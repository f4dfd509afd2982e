import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";

export interface CompletedCallsOptions {
  /** The call with what the agent left out of it; `undefined` where nothing is missing. */
  complete(call: JsonRpcCall): Promise<JsonRpcCall> | undefined;
  deliver(calls: readonly JsonRpcCall[]): void;
  /** What was missing could not be had; the call is delivered as it came. */
  failed(error: unknown): void;
}

/** Delivers calls in the order in which they came, each when it is complete. What misses nothing passes at once. */
export class CompletedCalls {
  readonly #options: CompletedCallsOptions;
  #last: Promise<void> | undefined;

  constructor(options: CompletedCallsOptions) {
    this.#options = options;
  }

  take(calls: readonly JsonRpcCall[]): void {
    const completing = calls.map((call) => this.#complete(call));
    if (this.#last === undefined && completing.every((one) => one === undefined)) {
      this.#options.deliver(calls);
      return;
    }
    const before = this.#last ?? Promise.resolve();
    const last = Promise.all([...completing, before]).then(async (all) => {
      this.#options.deliver(calls.map((call, at) => all[at] ?? call));
    });
    this.#last = last;
    last
      .finally(() => {
        if (this.#last === last) this.#last = undefined;
      })
      .catch((error: unknown) => this.#options.failed(error));
  }

  /** All that came so far is delivered. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #complete(call: JsonRpcCall): Promise<JsonRpcCall> | undefined {
    const failed = (error: unknown): JsonRpcCall => {
      this.#options.failed(error);
      return call;
    };
    try {
      return this.#options.complete(call)?.catch(failed);
    } catch (error) {
      return Promise.resolve(failed(error));
    }
  }
}
