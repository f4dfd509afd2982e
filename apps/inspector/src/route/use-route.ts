import { useMemo, useSyncExternalStore } from "react";
import { formatRoute, parseRoute, type Route } from "./route.ts";

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
