import { homedir } from "node:os";
import type { EventDraft, PermissionRequestedData, PermissionResolvedData } from "@sandbox-agent-ts/protocol";
import { decide } from "../policy/decide.ts";
import type { SessionConfig } from "./session-config.ts";

const denied = "The session's policy does not allow it.";

/** What an agent said, with the requests that the session's policy decides already resolved. */
export interface Gated {
  readonly drafts: readonly EventDraft[];
  /** The decisions, which the agent is told once they are in the log. */
  readonly decisions: readonly PermissionResolvedData[];
}

export function gateByPolicy(drafts: readonly EventDraft[], config: SessionConfig): Gated {
  if (!config.policy) return { drafts, decisions: [] };
  const decisions: PermissionResolvedData[] = [];
  const gated = drafts.map((draft): EventDraft => {
    if (draft.type !== "permission.requested") return draft;
    const data = decisionOn(draft.data, config);
    if (!data) return draft;
    decisions.push(data);
    return { ...draft, type: "permission.resolved", data, source: "daemon", synthetic: true };
  });
  return { drafts: gated, decisions };
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
