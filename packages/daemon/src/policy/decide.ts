import type {
  PermissionMode,
  PermissionPolicy,
  PermissionRequestedData,
  PolicyAction,
} from "@sandbox-agent-ts/protocol";
import { fitsRule } from "./fits-rule.ts";
import type { PathBase } from "./path-forms.ts";
import { type RequestPart, requestParts } from "./request-parts.ts";

export interface PolicyContext extends PathBase {
  readonly permissionMode: PermissionMode;
}

export interface Decision {
  readonly action: PolicyAction;
  /** The place of the rule that decided in the policy. */
  readonly rule?: number;
  readonly reason?: string;
}

const strictness: Readonly<Record<PolicyAction, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * What a policy says to a request. Each file and each command of it is decided by itself, by the first rule that fits; the
 * strictest of these decisions counts.
 */
export function decide(policy: PermissionPolicy, request: PermissionRequestedData, context: PolicyContext): Decision {
  const decisions = requestParts(request, context).map((part) => decidePart(policy, part, context));
  return decisions.reduce((worst, one) => (strictness[one.action] > strictness[worst.action] ? one : worst));
}

function decidePart({ rules, otherwise }: PermissionPolicy, part: RequestPart, context: PolicyContext): Decision {
  if (context.permissionMode === "plan" && changesSomething(part)) return deniedByPlan;
  let doubt: Decision | undefined;
  for (const [index, rule] of rules.entries()) {
    const fit = fitsRule(rule, part, context);
    if (fit === "no") continue;
    const decision = { action: rule.action, rule: index, ...(rule.reason ? { reason: rule.reason } : {}) };
    if (rule.action === "allow") {
      if (fit === "yes") return doubt ?? decision;
    } else if (fit === "yes") return decision;
    else doubt ??= { action: "ask", rule: index };
  }
  const rest = part.isConsequence ? allowed : otherwise ? { action: otherwise } : byMode(part, context);
  return rest.action === "allow" ? (doubt ?? rest) : rest;
}

const allowed: Decision = { action: "allow" };
const deniedByPlan: Decision = { action: "deny", reason: "The session is in plan mode: nothing may be changed." };

function changesSomething({ kind }: RequestPart): boolean {
  return kind === "edit" || kind === "delete" || kind === "move" || kind === "execute";
}

function byMode(part: RequestPart, { permissionMode, directory }: PolicyContext): Decision {
  if (permissionMode === "bypass") return allowed;
  const isInside = (path: string) => path.startsWith(`${directory}/`);
  const isEdit = (part.kind === "edit" || part.kind === "move") && part.path !== undefined && part.path.length > 0;
  if (permissionMode === "acceptEdits" && isEdit && part.path.every(isInside)) return allowed;
  // Without a policy no agent asks about these.
  if (part.kind === "read" && part.path?.every((path) => path === directory || isInside(path))) return allowed;
  return { action: "ask" };
}
