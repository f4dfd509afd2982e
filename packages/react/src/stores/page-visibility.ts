import type { Unsubscribe } from "./listeners.ts";

/** Outside of browsers everything is visible. */
export function isPageVisible(): boolean {
  return typeof document === "undefined" || document.visibilityState === "visible";
}

export function onVisibilityChange(call: () => void): Unsubscribe {
  if (typeof document === "undefined") return () => {};
  document.addEventListener("visibilitychange", call);
  return () => document.removeEventListener("visibilitychange", call);
}
