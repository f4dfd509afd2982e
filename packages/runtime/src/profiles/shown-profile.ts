import { type AgentProfile, hiddenValue } from "@sandbox-agent-ts/protocol";
import { plainServers } from "../sessions/session-settings.ts";

/** As clients see it: which secrets there are, and not what is in them. */
export function shownProfile(profile: AgentProfile): AgentProfile {
  const { secrets, mcp } = profile;
  return {
    ...profile,
    ...(secrets ? { secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, hiddenValue])) } : {}),
    ...(mcp ? { mcp: plainServers(mcp as Parameters<typeof plainServers>[0]) } : {}),
  };
}
