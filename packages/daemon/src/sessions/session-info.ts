import { type SessionInfo, sessionStatus } from "@sandbox-agent-ts/protocol";
import { pendingRequests } from "./pending-requests.ts";
import type { Session } from "./session.ts";

export function sessionInfo(session: Session): SessionInfo {
  const { agent, agentMode, permissionMode, model, variant, directory, mcp, skills, policy, requestTimeout } =
    session.config;
  const { state, updatedAt, log } = session.recorder;
  const status = sessionStatus(state);
  return {
    sessionId: session.id,
    agent,
    agentMode,
    permissionMode,
    ...(model === undefined ? {} : { model }),
    ...(variant === undefined ? {} : { variant }),
    ...(state.nativeSessionId === null ? {} : { nativeSessionId: state.nativeSessionId }),
    ended: state.ended !== null,
    eventCount: log.head,
    createdAt: session.createdAt,
    updatedAt,
    directory,
    ...(session.title === undefined ? {} : { title: session.title }),
    ...(mcp === undefined ? {} : { mcp }),
    ...(skills === undefined ? {} : { skills }),
    status: status === "idle" && session.busy ? "running" : status,
    pendingPermissions: Object.keys(state.permissions),
    pendingQuestions: Object.keys(state.questions),
    pendingRequests: pendingRequests(state),
    queuedTurns: session.queuedTurns,
    ...(state.usage === null ? {} : { usage: state.usage }),
    ...(state.cost === null ? {} : { cost: state.cost }),
    ...(policy === undefined ? {} : { policy }),
    ...(requestTimeout === undefined ? {} : { requestTimeout }),
  };
}
