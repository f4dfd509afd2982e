import {
  pendingRequests,
  type SessionInfo,
  type SessionRuntimeState,
  type SessionSummary,
  sessionStatus,
  shownServers,
  shownSkills,
} from "@sandbox-agent-ts/protocol";
import type { ListedSession } from "../store/runtime-store.ts";
import type { SessionSettings } from "./session-settings.ts";

export interface InfoContext {
  readonly runtime: SessionRuntimeState;
  readonly queuedTurns: number;
  /** A message was taken whose turn has not ended. */
  readonly isBusy: boolean;
}

/** A session as clients see it: what it was created with, what its log says, and where it runs. */
export function sessionInfoOf(
  session: ListedSession,
  summary: SessionSummary,
  { runtime, queuedTurns, isBusy }: InfoContext,
): SessionInfo {
  const settings = (session.settings as SessionSettings | null) ?? { agent: session.agent };
  const { changes } = summary;
  const { mcp, skills, directory } = settings;
  const status = sessionStatus(summary);
  return {
    sessionId: session.sessionId,
    agent: session.agent,
    agentMode: changes.agent_mode ?? settings.agentMode ?? "build",
    permissionMode: changes.permission_mode ?? settings.permissionMode ?? "default",
    ...present({
      model: changes.model === undefined ? settings.model : changes.model,
      variant: changes.variant === undefined ? settings.variant : changes.variant,
      nativeSessionId: summary.nativeSessionId,
      directory,
      title: session.title,
      mcp: mcp ? shownServers(mcp as Parameters<typeof shownServers>[0]) : undefined,
      skills: skills ? shownSkills(skills) : undefined,
      usage: summary.usage,
      cost: summary.cost,
      policy: changes.policy === undefined ? settings.policy : changes.policy,
      requestTimeout: changes.request_timeout === undefined ? settings.requestTimeout : changes.request_timeout,
      metadata: session.metadata as SessionInfo["metadata"],
      profile: session.profile,
      profileLosses: settings.profileLosses as SessionInfo["profileLosses"],
      commands: settings.commands,
    }),
    ended: summary.ended !== null,
    eventCount: session.head,
    createdAt: session.createdAt,
    updatedAt: session.lastActivity,
    status: status === "idle" && isBusy ? "running" : status,
    pendingPermissions: Object.keys(summary.permissions),
    pendingQuestions: Object.keys(summary.questions),
    pendingRequests: pendingRequests(summary),
    queuedTurns,
    runtime,
  };
}

function present<T extends object>(fields: T): Partial<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Partial<T>;
}
