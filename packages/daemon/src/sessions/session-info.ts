import {
  pendingRequests,
  type SessionInfo,
  type SessionListEntry,
  type SessionStatus,
  sessionStatus,
  shownCommands,
  shownServers,
  shownSkills,
} from "@sandbox-agent-ts/protocol";
import type { Session } from "./session.ts";

export function sessionInfo(session: Session): SessionInfo {
  const { agent, agentMode, permissionMode, model, variant, directory, mcp, skills, policy, requestTimeout, metadata } =
    session.config;
  const { profileLosses, commands, agentVersion } = session.config;
  const { state, updatedAt, log } = session.recorder;
  return {
    sessionId: session.id,
    agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
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
    ...(mcp === undefined ? {} : { mcp: shownServers(mcp) }),
    ...(skills === undefined ? {} : { skills: shownSkills(skills) }),
    status: statusOf(session),
    pendingPermissions: Object.keys(state.permissions),
    pendingQuestions: Object.keys(state.questions),
    pendingRequests: pendingRequests(state),
    queuedTurns: session.queuedTurns,
    ...(state.usage === null ? {} : { usage: state.usage }),
    ...(state.cost === null ? {} : { cost: state.cost }),
    ...(policy === undefined ? {} : { policy }),
    ...(requestTimeout === undefined ? {} : { requestTimeout }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(profileLosses === undefined ? {} : { profileLosses: [...profileLosses] }),
    ...(commands === undefined ? {} : { commands: shownCommands(commands) }),
    ...(session.problem === undefined ? {} : { problem: session.problem.message }),
  };
}

/** A session that has taken a message counts as running before its turn is started; in one set aside nothing runs. */
export function statusOf(session: Session): SessionStatus {
  const status = sessionStatus(session.recorder.state);
  if (session.problem) return status === "ended" ? "ended" : "idle";
  return status === "idle" && session.busy ? "running" : status;
}

/** The same without the settings that may be long. */
export function sessionListEntry(session: Session): SessionListEntry {
  const { mcp: _, skills: __, policy: ___, requestTimeout: ____, metadata: _____, ...rest } = sessionInfo(session);
  const { profileLosses: _l, commands: _c, ...entry } = rest;
  return entry;
}
