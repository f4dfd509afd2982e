import { type AgentProfileSupport, hookEvents, type ProfileEntity, profileEntities } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter } from "../agent.ts";

/** What of a profile an agent takes, as it declares it. */
export function profileSupport({ profile = {}, capabilities }: AgentAdapter): AgentProfileSupport {
  const { lacks = {}, subagents, hooks = [] } = profile;
  const events = hookEvents.filter((event) => hooks.includes(event));
  const declared: Partial<Record<ProfileEntity, boolean>> = {
    subagents: subagents !== undefined,
    mcp: capabilities.mcpTools,
    hooks: events.length > 0,
  };
  const takes = profileEntities.filter((entity) => lacks[entity] === undefined && declared[entity] !== false);
  return { takes, hookEvents: events };
}
