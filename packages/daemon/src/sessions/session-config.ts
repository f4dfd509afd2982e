import type { SessionConfig as AgentSessionConfig, PlacedFiles } from "@sandbox-agent-ts/agents";
import type {
  AgentError,
  CreateSessionRequest,
  PermissionMode,
  PermissionPolicy,
  ProfileCommand,
  ProfileLoss,
  RequestTimeout,
  SessionChanges,
  SessionMetadata,
} from "@sandbox-agent-ts/protocol";
import type { RestoredSession } from "./restore-session.ts";

/** What a session was created with, as it is kept in its record. */
export interface SessionConfig extends Omit<AgentSessionConfig, "sessionId" | "env"> {
  readonly agent: string;
  readonly title?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly policy?: PermissionPolicy;
  readonly requestTimeout?: RequestTimeout;
  readonly metadata?: SessionMetadata;
  readonly creation?: Creation;
  readonly restored?: RestoredSession;
  /** Of its profile: what a message may begin with as `/name`. */
  readonly commands?: Readonly<Record<string, ProfileCommand>>;
  /** What its agent does not get of its profile. */
  readonly profileLosses?: readonly ProfileLoss[];
  /** Files of its profile in its directory. */
  readonly placedFiles?: PlacedFiles;
}

/** How the session was created, where a retry has to be told the same. */
interface Creation {
  readonly idempotencyKey: string;
  /** Why its agent could not be reached. */
  readonly error?: AgentError;
}

/** What the agent need not know. */
type OwnSettings =
  | "agent"
  | "title"
  | "policy"
  | "requestTimeout"
  | "env"
  | "metadata"
  | "creation"
  | "restored"
  | "commands"
  | "profileLosses"
  | "placedFiles";

/** A request with its defaults filled in; fields that are absent or null leave no trace. */
export function sessionConfig(request: CreateSessionRequest, directory: string): SessionConfig {
  const { agent, agentMode, permissionMode, directory: _, title, name, ...others } = request;
  const { sandbox: __, profile: ___, restore: ____, ...rest } = others;
  return {
    agent,
    agentMode: agentMode ?? "build",
    permissionMode: permissionMode ?? "default",
    directory,
    ...withoutNulls({ ...rest, title: title ?? name }),
  };
}

/** What the agent is told of the settings, besides its environment. */
export function settingsOfAgent(config: SessionConfig): Omit<SessionConfig, OwnSettings> {
  const { agent: _, title: __, policy, requestTimeout: ___, env: ____, ...others } = config;
  const { metadata: _____, creation: ______, restored: _______, commands: _c, ...more } = others;
  const { profileLosses: _l, placedFiles: _p, ...rest } = more;
  return { ...rest, permissionMode: nativePermissionMode(config), ...(policy ? { asksEverything: true } : {}) };
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
