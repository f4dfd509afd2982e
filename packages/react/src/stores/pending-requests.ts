import type { PermissionRequestedData, QuestionRequestedData } from "@sandbox-agent-ts/protocol";

export type PendingPermission = PermissionRequestedData & { readonly sessionId: string };
export type PendingQuestion = QuestionRequestedData & { readonly sessionId: string };

/**
 * A permission as the list of sessions tells it: texts are cut after 500 characters. What else is asked, the diff for
 * example, is in the session's own requests.
 */
export type ShortPermission = Pick<
  PendingPermission,
  | "sessionId"
  | "permission_id"
  | "action"
  | "status"
  | "kind"
  | "tool"
  | "paths"
  | "command"
  | "url"
  | "call_id"
  | "item_id"
>;

/** A question as the list of sessions tells it: the first one of its request, in texts cut after 500 characters. */
export type ShortQuestion = Pick<
  PendingQuestion,
  "sessionId" | "question_id" | "prompt" | "options" | "status" | "kind" | "call_id" | "item_id"
>;

/** What the agents of all sessions want to know from a person, in short. */
export interface ShortRequests {
  readonly permissions: readonly ShortPermission[];
  readonly questions: readonly ShortQuestion[];
}

/** What agents want to know from a person. */
export interface PendingRequests {
  readonly permissions: readonly PendingPermission[];
  readonly questions: readonly PendingQuestion[];
}

export const noRequests: PendingRequests & ShortRequests = { permissions: [], questions: [] };

export function pendingRequests(
  sessionId: string,
  permissions: readonly PermissionRequestedData[],
  questions: readonly QuestionRequestedData[],
): PendingRequests {
  return {
    permissions: permissions.map((permission) => ({ ...permission, sessionId })),
    questions: questions.map((question) => ({ ...question, sessionId })),
  };
}
