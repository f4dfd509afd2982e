import type { PermissionReply } from "@sandbox-agent-ts/sdk";
import { useMemo } from "react";
import type { ClientStores } from "../stores/client-stores.ts";
import type { Unsubscribe } from "../stores/listeners.ts";
import type { PendingPermission, PendingQuestion, PendingRequests, ShortRequests } from "../stores/pending-requests.ts";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

/** Replies take a request as it was told, in full or in short. */
interface Replies {
  /** The reason of a `reject` is told to the model. */
  readonly replyPermission: (
    permission: Pick<PendingPermission, "sessionId" | "permission_id">,
    reply: PermissionReply,
    reason?: string,
  ) => Promise<void>;
  /** One array of selected labels per question. */
  readonly replyQuestion: (question: QuestionName, answers: string[][]) => Promise<void>;
  readonly rejectQuestion: (question: QuestionName) => Promise<void>;
}

type QuestionName = Pick<PendingQuestion, "sessionId" | "question_id">;

export interface UseRequests extends PendingRequests, Replies {}
export interface UseShortRequests extends ShortRequests, Replies {}

/** What the agent of a session wants to know from a person. Oldest first. */
export function useRequests(sessionId: string): UseRequests;
/** Without an id what the agents of all sessions want, in short, as the list of sessions tells it: no log is read. */
export function useRequests(sessionId?: string): UseShortRequests;
export function useRequests(sessionId?: string): UseShortRequests {
  const stores = useStores();
  const store: RequestSource = sessionId === undefined ? stores.requests : stores.session(sessionId);
  const requests = useStore(store, store.getRequests);
  return useMemo(() => ({ ...requests, ...repliesOf(stores) }), [requests, stores]);
}

interface RequestSource {
  readonly subscribe: (listener: () => void) => Unsubscribe;
  readonly getRequests: () => PendingRequests | ShortRequests;
}

function repliesOf({ client, sessions }: ClientStores): Replies {
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
