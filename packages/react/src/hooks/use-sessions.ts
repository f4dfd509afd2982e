import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

export interface UseSessions {
  /** Newest first. One that did not change is the same object as before. */
  readonly sessions: readonly SessionInfo[];
  readonly isLoading: boolean;
  /** Why the list could not be read; it is tried again, and `sessions` stays what it was. */
  readonly error: Error | undefined;
  readonly refresh: () => Promise<void>;
}

const none: readonly SessionInfo[] = [];

/** The sessions of the daemon, kept up to date while the page is visible. */
export function useSessions(): UseSessions {
  const { sessions } = useStores();
  const { data, isLoading, error } = useStore(sessions, sessions.getSnapshot);
  return { sessions: data ?? none, isLoading, error, refresh: sessions.refresh };
}
