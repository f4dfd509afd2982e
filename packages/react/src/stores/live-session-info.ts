import type { SessionInfo, SessionStatus, Transcript } from "@sandbox-agent-ts/protocol";

/** What the daemon said of a session, brought up to date with what its events have said since. */
export function liveSessionInfo(info: SessionInfo, transcript: Transcript, status: SessionStatus): SessionInfo {
  const { session, permissions, questions, usage } = transcript;
  return {
    ...info,
    ended: session.ended !== null,
    eventCount: Math.max(info.eventCount, transcript.lastSequence),
    status,
    pendingPermissions: permissions.map((permission) => permission.permission_id),
    pendingQuestions: questions.map((question) => question.question_id),
    ...(session.nativeSessionId === null ? {} : { nativeSessionId: session.nativeSessionId }),
    ...(usage === null ? {} : { usage }),
  };
}
