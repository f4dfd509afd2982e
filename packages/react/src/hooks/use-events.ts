import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

/** The events of a session from its first, live. */
export function useEvents(sessionId: string): readonly UniversalEvent[] {
  const store = useStores().session(sessionId);
  return useStore(store, store.getEvents);
}
