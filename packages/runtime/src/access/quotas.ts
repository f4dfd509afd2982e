import type { AccessStore, StoredUsage } from "../store/access-store.ts";
import type { Quota } from "../store/quota.ts";
import type { Lease, RuntimeStore } from "../store/runtime-store.ts";

export interface QuotaOptions {
  /** For everybody who has none of its own. */
  readonly default?: Quota | undefined;
  readonly principals?: Readonly<Record<string, Quota>> | undefined;
}

type QuotaStore = Pick<AccessStore, "usage"> & Pick<RuntimeStore, "reserveSandbox" | "releaseSandbox">;

/**
 * What principals may have. Whoever makes something gives it to the store, which counts and keeps in one transaction: of
 * any number of runtimes that share it, all together stay below.
 */
export class Quotas {
  readonly #store: QuotaStore;
  readonly #options: QuotaOptions;

  constructor(store: QuotaStore, options: QuotaOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  of(principal: string): Quota {
    const { principals = {}, default: common = {} } = this.#options;
    return { ...common, ...(Object.hasOwn(principals, principal) ? principals[principal] : {}) };
  }

  usage(principal: string): Promise<StoredUsage> {
    return this.#store.usage(principal);
  }

  /** Make the sandbox of a session, if its owner may have one more. */
  async sandbox<T>(owner: string, lease: Lease, make: () => Promise<T>): Promise<T> {
    const quota = this.of(owner);
    if (quota.sandboxes === undefined) return make();
    await this.#store.reserveSandbox(lease, quota);
    try {
      return await make();
    } finally {
      await this.#store.releaseSandbox(lease);
    }
  }
}
