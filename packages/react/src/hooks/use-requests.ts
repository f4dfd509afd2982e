import type { PermissionReply } from "@sandbox-agent-ts/sdk";
import { useMemo } from "react";
import type { ClientStores } from "../stores/client-stores.ts";
import type { PendingPermission, PendingQuestion, PendingRequests } from "../stores/pending-requests.ts";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

export interface UseRequests extends PendingRequests {
  /** The reason of a `reject` is told to the model where the agent takes one. */
  readonly replyPermission: (permission: PendingPermission, reply: PermissionReply, reason?: string) => Promise<void>;
  /** One array of selected labels per question. */
  readonly replyQuestion: (question: PendingQuestion, answers: string[][]) => Promise<void>;
  readonly rejectQuestion: (question: PendingQuestion) => Promise<void>;
}

/**
 * What the agent of a session, or without an id the agent of any, wants to know from a person. Oldest first. Without an id
 * in short, as the list of sessions tells it: a diff or the further questions of a request are not in it.
 */
export function useRequests(sessionId?: string): UseRequests {
  const stores = useStores();
  const store = sessionId === undefined ? stores.requests : stores.session(sessionId);
  const requests = useStore(store, store.getRequests);
  return useMemo(() => ({ ...requests, ...repliesOf(stores) }), [requests, stores]);
}

function repliesOf({ client, sessions }: ClientStores): Omit<UseRequests, keyof PendingRequests> {
  const settle = async (reply: Promise<void>) => {
    await reply;
    sessions.hint();
  };
  return {
    replyPermission: ({ sessionId, permission_id }, reply, reason) =>
      settle(client.replyPermission(sessionId, permission_id, { reply, ...(reason === undefined ? {} : { reason }) })),
    replyQuestion: ({ sessionId, question_id }, answers) =>
      settle(client.replyQuestion(sessionId, question_id, { answers })),
    rejectQuestion: ({ sessionId, question_id }) => settle(client.rejectQuestion(sessionId, question_id)),
  };
}
