import type { Transcript } from "@sandbox-agent-ts/protocol";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

/** All that a session's events say, live; new at most once per frame, and what did not change keeps its identity. */
export function useTranscript(sessionId: string): Transcript {
  const store = useStores().session(sessionId);
  return useStore(store, store.getTranscript);
}
