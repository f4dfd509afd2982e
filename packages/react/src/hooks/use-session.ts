import { useMemo } from "react";
import type { SessionState } from "../stores/session-store.ts";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

export interface UseSession extends SessionState {
  /** Stop the running turn; the session stays usable. */
  readonly interrupt: () => Promise<void>;
  /** End the session; it stays readable. */
  readonly terminate: () => Promise<void>;
  readonly rename: (title: string) => Promise<void>;
  /** End the session and delete it. */
  readonly remove: () => Promise<void>;
}

/** A session, live. It changes with its status and its requests, not with every piece of text. */
export function useSession(sessionId: string): UseSession {
  const store = useStores().session(sessionId);
  const state = useStore(store, store.getState);
  return useMemo(() => {
    const { interrupt, terminate, rename, remove } = store;
    return { ...state, interrupt, terminate, rename, remove };
  }, [state, store]);
}
