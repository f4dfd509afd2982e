import { homedir } from "node:os";
import type { EventDraft, PermissionRequestedData, PermissionResolvedData } from "@sandbox-agent-ts/protocol";
import { decide } from "../policy/decide.ts";
import type { SessionConfig } from "./session-config.ts";

const sent = "The file was sent with a message.";
const denied = "The session's policy does not allow it.";

/** What an agent said, with the requests that need no person already resolved. */
export interface Gated {
  readonly drafts: readonly EventDraft[];
  /** The decisions, which the agent is told once they are in the log. */
  readonly decisions: readonly PermissionResolvedData[];
}

/** `isAttached` tells the files that a person has sent with a message: they may be read without asking again. */
export function gateRequests(
  drafts: readonly EventDraft[],
  config: SessionConfig,
  isAttached: (path: string) => boolean,
): Gated {
  const decisions: PermissionResolvedData[] = [];
  const gated = drafts.map((draft): EventDraft => {
    if (draft.type !== "permission.requested") return draft;
    const data = readsAttached(draft.data, isAttached) ?? (config.policy && decisionOn(draft.data, config));
    if (!data) return draft;
    decisions.push(data);
    return { ...draft, type: "permission.resolved", data, source: "daemon", synthetic: true };
  });
  return { drafts: gated, decisions };
}

function readsAttached(
  request: PermissionRequestedData,
  isAttached: (path: string) => boolean,
): PermissionResolvedData | undefined {
  const { kind, paths } = request;
  if (kind !== "read" || !paths?.length || !paths.every(isAttached)) return undefined;
  return {
    ...request,
    status: "approved",
    reply: "once",
    resolved_by: "policy",
    reason: sent,
  };
}

/** Undefined when a person is to be asked. */
function decisionOn(request: PermissionRequestedData, config: SessionConfig): PermissionResolvedData | undefined {
  const { policy = { rules: [] }, directory, permissionMode, env } = config;
  const { action, rule, reason } = decide(policy, request, { directory, permissionMode, home: env?.HOME ?? homedir() });
  if (action === "ask") return undefined;
  const isAllowed = action === "allow";
  const why = reason ?? (isAllowed ? undefined : denied);
  return {
    ...request,
    metadata: { ...request.metadata, policy: rule === undefined ? { action } : { action, rule } },
    status: isAllowed ? "approved" : "denied",
    reply: isAllowed ? "once" : "reject",
    resolved_by: "policy",
    ...(why === undefined ? {} : { reason: why }),
  };
}
