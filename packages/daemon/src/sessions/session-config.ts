import type { CreateSessionRequest, McpServerConfig, PermissionMode, SkillsConfig } from "@sandbox-agent/protocol";

/** What a session was created with, as it is kept in its record. */
export interface SessionConfig {
  readonly agent: string;
  readonly agentMode: string;
  readonly permissionMode: PermissionMode;
  readonly directory: string;
  readonly model?: string;
  readonly variant?: string;
  readonly agentVersion?: string;
  readonly title?: string;
  readonly mcp?: Record<string, McpServerConfig>;
  readonly skills?: SkillsConfig;
  readonly env?: Record<string, string>;
  readonly systemPrompt?: string;
}

/** A request with its defaults filled in; fields that are absent or null leave no trace. */
export function sessionConfig(request: CreateSessionRequest, directory: string): SessionConfig {
  const { agent, agentMode, permissionMode, directory: _, ...rest } = request;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  return { agent, agentMode: agentMode ?? "build", permissionMode: permissionMode ?? "default", directory, ...given };
}
