import { useSandboxAgent } from "@sandbox-agent-ts/react";
import type { MessageAttachment } from "@sandbox-agent-ts/sdk";
import { useCallback, useState } from "react";
import { messageOf } from "../controls/use-action.ts";
import { uploadAttachment } from "./attachment.ts";

export interface PendingAttachment {
  readonly id: string;
  readonly name: string;
  readonly state: "uploading" | "there" | "failed";
  readonly error?: string;
  /** Undefined when the file could not be sent. */
  readonly arrival: Promise<MessageAttachment | undefined>;
}

interface UseAttachments {
  readonly pending: readonly PendingAttachment[];
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: string) => void;
  readonly clear: () => void;
}

/** Files of the next message. They are sent as soon as they are chosen, so that the message need not wait for them. */
export function useAttachments(sessionId: string): UseAttachments {
  const client = useSandboxAgent();
  const [pending, setPending] = useState<readonly PendingAttachment[]>([]);

  const settle = useCallback((id: string, outcome: Partial<PendingAttachment>) => {
    setPending((now) => now.map((it) => (it.id === id ? { ...it, ...outcome } : it)));
  }, []);

  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = crypto.randomUUID();
        const arrival = uploadAttachment(client, sessionId, file).then(
          (attachment) => {
            settle(id, { state: "there" });
            return attachment;
          },
          (error: unknown) => {
            settle(id, { state: "failed", error: messageOf(error) });
            return undefined;
          },
        );
        setPending((now) => [...now, { id, name: file.name || "pasted file", state: "uploading", arrival }]);
      }
    },
    [client, sessionId, settle],
  );

  const remove = useCallback((id: string) => setPending((now) => now.filter((it) => it.id !== id)), []);
  const clear = useCallback(() => setPending([]), []);
  return { pending, add, remove, clear };
}
