import { ApiKeys, type RuntimeStore } from "@sandbox-agent-ts/runtime";
import { openStore } from "./open-runtime.ts";
import { type RuntimeFlags, runtimeSettings } from "./runtime-settings.ts";

/** Work on the keys of a runtime's store, whether one runs on it or not. */
export function withKeys<T>(flags: RuntimeFlags, work: (keys: ApiKeys) => Promise<T>): Promise<T> {
  return withStore(flags, (store) => work(new ApiKeys(store)));
}

/** Look into a runtime's store, whether one runs on it or not. */
export async function withStore<T>(flags: RuntimeFlags, work: (store: RuntimeStore) => Promise<T>): Promise<T> {
  const store = await openStore(runtimeSettings(flags, process.env), true);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
