import type { EventStore } from "../event-store.ts";

/** A fresh, empty store and what the suite must be able to do with it. */
export interface StoreUnderTest {
  readonly store: EventStore;
  /** Close the store and open the same data again, as a restart of the process does. `sessions` is not called. */
  reopen(): Promise<EventStore>;
  /** Remove everything, whether the stores are closed or not. */
  destroy(): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

export interface ContractOptions {
  /** Why a reopened store is empty, for a driver that keeps nothing beyond its process. */
  readonly forgetsBecause?: string;
}
