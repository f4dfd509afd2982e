import type { PermissionRequestedData, QuestionRequestedData } from "@sandbox-agent-ts/protocol";

export type PendingPermission = PermissionRequestedData & { readonly sessionId: string };
export type PendingQuestion = QuestionRequestedData & { readonly sessionId: string };

/** What agents want to know from a person. */
export interface PendingRequests {
  readonly permissions: readonly PendingPermission[];
  readonly questions: readonly PendingQuestion[];
}

export const noRequests: PendingRequests = { permissions: [], questions: [] };

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
