import type { PermissionRequestedData, QuestionRequestedData, SessionInfo } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";

/** Requests stand near the end of a log: it is read backwards, this many events at a time. */
const EVENTS_PER_READ = 200;

export interface FoundRequests {
  readonly permissions: ReadonlyMap<string, PermissionRequestedData>;
  readonly questions: ReadonlyMap<string, QuestionRequestedData>;
}

/** What the open requests of a session ask, without following its stream. */
export async function findRequests(client: SandboxAgent, session: SessionInfo): Promise<FoundRequests> {
  const permissions = new Map<string, PermissionRequestedData>();
  const questions = new Map<string, QuestionRequestedData>();
  const isMissing = () =>
    session.pendingPermissions.some((id) => !permissions.has(id)) ||
    session.pendingQuestions.some((id) => !questions.has(id));
  for (let end = session.eventCount; end > 0 && isMissing(); end -= EVENTS_PER_READ) {
    const offset = Math.max(0, end - EVENTS_PER_READ);
    const { events } = await client.getEvents(session.sessionId, { offset, limit: end - offset });
    for (const event of events) {
      if (event.type === "permission.requested") permissions.set(event.data.permission_id, event.data);
      if (event.type === "question.requested") questions.set(event.data.question_id, event.data);
    }
  }
  return { permissions, questions };
}
