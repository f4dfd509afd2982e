import { onTestFinished } from "vitest";
import type { Unsubscribe } from "../stores/listeners.ts";

interface Subscribable {
  readonly subscribe: (listener: () => void) => Unsubscribe;
}

/** Listen to a store until what it says is what is waited for. */
export function when<T>(store: Subscribable, read: () => T, isIt: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const value = read();
      if (!isIt(value)) return;
      resolve(value);
      queueMicrotask(() => unsubscribe());
    };
    const unsubscribe = store.subscribe(look);
    look();
  });
}

/** Listen to a store until the test is over, or as long as is wanted. */
export function listen(store: Subscribable, listener: () => void = () => {}): Unsubscribe {
  const unsubscribe = store.subscribe(listener);
  onTestFinished(unsubscribe);
  return unsubscribe;
}

/** Every different thing that a store says from now on. */
export function collect<T>(store: Subscribable, read: () => T): T[] {
  const values = [read()];
  listen(store, () => {
    const value = read();
    if (value !== values.at(-1)) values.push(value);
  });
  return values;
}
