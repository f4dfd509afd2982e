import type { SessionConfig as AgentSessionConfig } from "@sandbox-agent-ts/agents";
import type {
  CreateSessionRequest,
  PermissionMode,
  PermissionPolicy,
  RequestTimeout,
  SessionChanges,
  UpdateSessionRequest,
} from "@sandbox-agent-ts/protocol";

/** What a session was created with, as it is kept in its record. */
export interface SessionConfig extends Omit<AgentSessionConfig, "sessionId" | "env"> {
  readonly agent: string;
  readonly title?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly policy?: PermissionPolicy;
  readonly requestTimeout?: RequestTimeout;
}

/** A request with its defaults filled in; fields that are absent or null leave no trace. */
export function sessionConfig(request: CreateSessionRequest, directory: string): SessionConfig {
  const { agent, agentMode, permissionMode, directory: _, ...rest } = request;
  return {
    agent,
    agentMode: agentMode ?? "build",
    permissionMode: permissionMode ?? "default",
    directory,
    ...withoutNulls(rest),
  };
}

/** What was changed, as the log tells it. */
export function sessionChanges(request: UpdateSessionRequest): SessionChanges {
  const { agentMode, permissionMode, requestTimeout, ...rest } = request;
  const renamed = { agent_mode: agentMode, permission_mode: permissionMode, request_timeout: requestTimeout };
  return Object.fromEntries(Object.entries({ ...rest, ...renamed }).filter(([, value]) => value !== undefined));
}

/** The settings that hold after changes; the title is kept apart, because an ended session can still be renamed. */
export function changedConfig(config: SessionConfig, changes: SessionChanges): SessionConfig {
  const { title: _, agent_mode, permission_mode, request_timeout, ...rest } = changes;
  return withoutNulls({
    ...config,
    ...rest,
    ...(rest.model === null ? { usesOwnModel: true as const } : {}),
    ...(agent_mode === undefined ? {} : { agentMode: agent_mode }),
    ...(permission_mode === undefined ? {} : { permissionMode: permission_mode }),
    ...(request_timeout === undefined ? {} : { requestTimeout: request_timeout }),
  }) as SessionConfig;
}

/** The mode the agent itself works in: one in which it asks, when a policy decides. */
export function nativePermissionMode({ policy, permissionMode }: SessionConfig): PermissionMode {
  return policy && permissionMode !== "plan" ? "default" : permissionMode;
}

function withoutNulls<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
