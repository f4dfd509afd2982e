import type { MessageAttachment } from "@sandbox-agent-ts/sdk";
import { useMemo } from "react";
import type { OutboxState } from "../stores/outbox.ts";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

export interface UseSendMessage extends OutboxState {
  /** Resolves when the daemon has it for good; its turn starts when those before it have ended. */
  readonly send: (message: string, attachments?: readonly MessageAttachment[]) => Promise<void>;
}

export function useSendMessage(sessionId: string): UseSendMessage {
  const store = useStores().session(sessionId);
  const outbox = useStore(store, store.getOutbox);
  return useMemo(() => ({ ...outbox, send: store.send }), [outbox, store]);
}
