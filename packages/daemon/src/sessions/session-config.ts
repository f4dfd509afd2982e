import type { SessionConfig as AgentSessionConfig } from "@sandbox-agent-ts/agents";
import type { CreateSessionRequest } from "@sandbox-agent-ts/protocol";

/** What a session was created with, as it is kept in its record. */
export interface SessionConfig extends Omit<AgentSessionConfig, "sessionId" | "env"> {
  readonly agent: string;
  readonly title?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A request with its defaults filled in; fields that are absent or null leave no trace. */
export function sessionConfig(request: CreateSessionRequest, directory: string): SessionConfig {
  const { agent, agentMode, permissionMode, directory: _, ...rest } = request;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  return { agent, agentMode: agentMode ?? "build", permissionMode: permissionMode ?? "default", directory, ...given };
}
