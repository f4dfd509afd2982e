import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { harmlessTools } from "./permission-policy.ts";

/** An entry of `amp.permissions`; the first that fits decides. */
export interface PermissionRule {
  readonly tool: string;
  readonly action: string;
  readonly to?: string;
  readonly [field: string]: unknown;
}

/**
 * Amp's rules for a session: the user's own first, then everything that is not harmless is put to our helper. A rule to
 * ask would be a refusal, since nobody sits at Amp's terminal, so it is put to the helper too. What the user once allowed
 * is not allowed while only planning.
 */
export function permissionRules(
  mode: PermissionMode,
  userRules: readonly PermissionRule[],
  helper: string,
  asksEverything = false,
): PermissionRule[] {
  const own = userRules.filter(({ action }) => mode !== "plan" || action === "reject");
  return [
    ...own.map((rule) => (rule.action === "ask" ? { ...rule, action: "delegate", to: helper } : rule)),
    ...(asksEverything ? [] : harmlessTools).map((tool) => ({ tool, action: "allow" })),
    { tool: "*", action: "delegate", to: helper },
  ];
}
