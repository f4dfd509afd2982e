import type { Unsubscribe } from "./listeners.ts";

/** Outside of browsers everything is visible. */
export function isPageVisible(): boolean {
  return typeof document === "undefined" || document.visibilityState === "visible";
}

export function onPageVisible(call: () => void): Unsubscribe {
  if (typeof document === "undefined") return () => {};
  const listener = () => {
    if (isPageVisible()) call();
  };
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
