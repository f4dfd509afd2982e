import { type AgentProfile, type ProfileEntity, type ProfileLoss, profileEntities } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter } from "../agent.ts";
import { profileSupport } from "./profile-support.ts";

const nouns: Record<ProfileEntity, string> = {
  systemPrompt: "system prompt",
  instructions: "instructions",
  skills: "skills",
  subagents: "subagents",
  commands: "commands",
  mcp: "MCP servers",
  hooks: "hooks",
  env: "environment",
  secrets: "secrets",
  files: "files",
};

/** What of the profile this agent does not get. Pure. */
export function profileLosses(adapter: AgentAdapter, profile: AgentProfile): ProfileLoss[] {
  const { takes } = profileSupport(adapter);
  const whole = profileEntities
    .filter((entity) => isGiven(profile, entity) && !takes.includes(entity))
    .map((entity): ProfileLoss => {
      const unknown = `${adapter.displayName} is not known to take ${nouns[entity]} of a profile.`;
      const reason = adapter.profile?.lacks?.[entity] ?? unknown;
      return { entity, reason };
    });
  return [...whole, ...hookLosses(adapter, profile), ...subagentLosses(adapter, profile)];
}

/** Of an agent that has hooks, the events it has none for. */
function hookLosses(adapter: AgentAdapter, { hooks }: AgentProfile): ProfileLoss[] {
  const { hookEvents } = profileSupport(adapter);
  if (hookEvents.length === 0) return [];
  const missing = (hooks ?? []).filter(({ event }) => !hookEvents.includes(event)).map(({ event }) => event);
  return [...new Set(missing)].map((name) => {
    return { entity: "hooks", name, reason: `${adapter.displayName} has no hooks for ${name}.` };
  });
}

function subagentLosses(adapter: AgentAdapter, { subagents }: AgentProfile): ProfileLoss[] {
  const taken = adapter.profile?.subagents;
  if (taken === undefined) return [];
  return Object.entries(subagents ?? {}).flatMap(([name, subagent]) => {
    const lost = (["tools", "model"] as const).filter((field) => subagent[field] && !taken.includes(field));
    if (lost.length === 0) return [];
    const reason = `${adapter.displayName} takes no ${lost.join(" and no ")} for a subagent: it has those of the session.`;
    return [{ entity: "subagents" as const, name, reason }];
  });
}

function isGiven(profile: AgentProfile, entity: ProfileEntity): boolean {
  const value = profile[entity];
  if (value === undefined || value === null || value === "") return false;
  return typeof value === "string" || Object.keys(value).length > 0;
}
