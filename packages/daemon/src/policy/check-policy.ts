import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import { type PermissionPolicy, type PolicyRule, SandboxError } from "@sandbox-agent-ts/protocol";
import { listOf } from "./fits-rule.ts";

/** Refuse rules that would be ignored because the agent does not ask before it does what they are about. */
export function checkPolicy({ rules }: PermissionPolicy, adapter: AgentAdapter): void {
  const { id: agent, displayName, unaskedKinds = ["read"], permissionModes } = adapter;
  if (!permissionModes.includes("default")) {
    throw new SandboxError(
      "mode_not_supported",
      `${displayName} has no mode in which it asks, so no policy can decide.`,
      {
        agent,
        details: { issues: [{ path: "policy", message: "needs permission mode default" }] },
      },
    );
  }
  for (const [index, rule] of rules.entries()) {
    const kind = unaskedKinds.find((unasked) => rule.action !== "allow" && isAbout(rule, unasked));
    if (kind === undefined) continue;
    const remedy = rule.kind ? "Take it out of the rule" : "Name the kinds that the rule is about";
    const message = `${displayName} does not ask before all actions of kind "${kind}", so a rule cannot ${rule.action} them. ${remedy}.`;
    throw new SandboxError("invalid_request", message, {
      agent,
      details: { issues: [{ path: `policy.rules.${index}.kind`, message }] },
    });
  }
}

/** A rule that names neither kind nor file nor tool is about whatever is asked. */
function isAbout({ kind, paths, tools, commands, mcpServers }: PolicyRule, wanted: string): boolean {
  const kinds = listOf(kind);
  if (kinds) return kinds.some((one) => one === wanted);
  if (mcpServers != null) return wanted === "mcp";
  return commands == null && (paths != null || tools != null);
}
