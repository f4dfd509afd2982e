import type { SessionConfig } from "@sandbox-agent-ts/agents";

/** What the sessions that are measured are, so that a program driven by hand is asked for the same. */
export function bareSession(directory: string): SessionConfig {
  return { sessionId: "bare", agentMode: "build", permissionMode: "bypass", directory, env: {} };
}
