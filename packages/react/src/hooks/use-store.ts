import { useSyncExternalStore } from "react";
import type { Unsubscribe } from "../stores/listeners.ts";

interface Subscribable {
  readonly subscribe: (listener: () => void) => Unsubscribe;
}

/** What a store says now, and again whenever that changes. */
export function useStore<T>({ subscribe }: Subscribable, getSnapshot: () => T): T {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
