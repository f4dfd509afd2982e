import type { RuntimeStore } from "../runtime-store.ts";

/** A fresh, empty store and what the suite must be able to do with it. */
export interface RuntimeStoreUnderTest {
  readonly store: RuntimeStore;
  /** Close the store and open the same data again, as a restart of the process does. */
  reopen(): Promise<RuntimeStore>;
  /** The same data beside the open store, as a second process opens it. `destroy` closes it. */
  another(): Promise<RuntimeStore>;
  /** Remove everything, whether the stores are closed or not. */
  destroy(): Promise<void>;
}

export type OpenRuntimeStore = () => Promise<RuntimeStoreUnderTest>;

export interface RuntimeStoreContractOptions {
  /** Why a reopened store is empty, for a driver that keeps nothing beyond its process. */
  readonly forgetsBecause?: string;
}
