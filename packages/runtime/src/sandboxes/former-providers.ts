import type { Logger } from "@sandbox-agent-ts/server";
import { storeLabel } from "../sessions/sandbox-spec.ts";
import type { RuntimeStore } from "../store/runtime-store.ts";
import { reapSandboxes } from "./reaper.ts";
import type { SandboxProvider } from "./sandbox-provider.ts";

interface FormerProvidersOptions {
  readonly store: RuntimeStore;
  readonly providers: readonly SandboxProvider[];
  readonly log: Logger;
}

/** Providers that make no sandboxes for this store any more, until nothing of it is left at them. */
export class FormerProviders {
  readonly #store: RuntimeStore;
  readonly #log: Logger;
  readonly #left: Set<SandboxProvider>;

  constructor({ store, providers, log }: FormerProvidersOptions) {
    this.#store = store;
    this.#log = log;
    this.#left = new Set(providers);
  }

  /** End what is left at them. What does not succeed now is to be tried again later. Never rejects. */
  async clear(): Promise<void> {
    for (const provider of [...this.#left]) {
      try {
        await reapSandboxes({ store: this.#store, provider, log: this.#log, graceMs: 0, isFormer: true });
        if (await this.#isEmpty(provider)) await this.#dispose(provider);
      } catch (err) {
        this.#log.warn({ err, provider: provider.name }, "sandboxes that are used no more could not be ended yet");
      }
    }
  }

  async close(): Promise<void> {
    for (const provider of [...this.#left]) await this.#dispose(provider);
  }

  async #isEmpty(provider: SandboxProvider): Promise<boolean> {
    for await (const _ of provider.list({ key: storeLabel, value: this.#store.storeId })) return false;
    return true;
  }

  async #dispose(provider: SandboxProvider): Promise<void> {
    this.#left.delete(provider);
    await provider.dispose().catch((err: unknown) => this.#log.warn({ err }, "a former provider was left as it is"));
  }
}
