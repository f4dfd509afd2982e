import type { AgentProfile, SkillsConfig } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";

type Own = Pick<SessionConfig, "systemPrompt" | "mcp" | "skills"> & { readonly env?: SessionConfig["env"] };
type Given = Partial<Pick<SessionConfig, "systemPrompt" | "mcp" | "skills" | "subagents" | "hooks" | "env">>;

/**
 * What a session is given by its profile together with what was asked for it alone, which wins where both name the same. The
 * skills of the profile are in `skillsFolder`. Pure.
 */
export function sessionOfProfile(profile: AgentProfile, own: Own, skillsFolder: string): Given {
  const prompt = [profile.systemPrompt, instructionsText(profile.instructions), own.systemPrompt];
  const systemPrompt = prompt.filter(Boolean).join("\n\n");
  const mcp = { ...profile.mcp, ...own.mcp };
  const env = { ...profile.env, ...profile.secrets, ...own.env };
  const source: SkillsConfig["sources"] = hasEntries(profile.skills) ? [{ type: "local", source: skillsFolder }] : [];
  const sources = [...source, ...(own.skills?.sources ?? [])];
  return {
    ...(systemPrompt === "" ? {} : { systemPrompt }),
    ...(hasEntries(mcp) ? { mcp } : {}),
    ...(sources.length === 0 ? {} : { skills: { ...own.skills, sources } }),
    ...(hasEntries(profile.subagents) ? { subagents: profile.subagents } : {}),
    ...(profile.hooks && profile.hooks.length > 0 ? { hooks: profile.hooks } : {}),
    ...(hasEntries(env) ? { env } : {}),
  };
}

/** As agents are shown a file AGENTS.md. */
function instructionsText(text: string | null | undefined): string {
  return text ? `# Instructions (AGENTS.md)\n\n${text}` : "";
}

function hasEntries<T extends object>(record: T | null | undefined): record is T {
  return record !== null && record !== undefined && Object.keys(record).length > 0;
}
