import { type AgentProfile, shownServers } from "@sandbox-agent-ts/protocol";

const hidden = "[hidden]";

/** As clients see it: which secrets there are, and not what is in them. */
export function shownProfile(profile: AgentProfile): AgentProfile {
  const { secrets, mcp } = profile;
  return {
    ...profile,
    ...(secrets ? { secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, hidden])) } : {}),
    ...(mcp ? { mcp: shownServers(mcp as Parameters<typeof shownServers>[0]) } : {}),
  };
}
