import {
  type AgentProfile,
  type CreateSessionRequest,
  hiddenValue,
  type ProfileLoss,
  type SessionChanges,
  type SessionInfo,
  shownServers,
  shownSkills,
} from "@sandbox-agent-ts/protocol";
import type { SecretBox } from "../access/secret-box.ts";

/** What is kept of the request that created a session: what its sandbox's daemon is given again and again. */
export type SessionSettings = Omit<CreateSessionRequest, "sandbox" | "metadata" | "name" | "title" | "profile"> & {
  readonly sandbox?: CreateSessionRequest["sandbox"];
  /** Of a profile that the runtime knows: its name and the version that the session began with. */
  readonly profileReference?: string;
  /** What the agent does not get of its profile. */
  readonly profileLosses?: readonly ProfileLoss[];
  readonly commands?: SessionInfo["commands"];
  /** The idempotency key of that request. */
  readonly createdWith?: string;
  /** `Secrets` as JSON, sealed; absent where there are none, and in what was stored before secrets were sealed. */
  readonly sealed?: string;
};

type Servers = Parameters<typeof shownServers>[0];
export type GivenProfile = Pick<SessionSettings, "profileReference" | "profileLosses" | "commands">;

/** The fields in which keys and passwords are given; in the settings only what everybody may see of them is in plain. */
type Secrets = Pick<CreateSessionRequest, "env" | "mcp" | "skills"> & { readonly profile?: AgentProfile };

export function settingsOf(
  request: CreateSessionRequest,
  idempotencyKey: string | undefined,
  box: SecretBox,
  given: GivenProfile = {},
): SessionSettings {
  const { metadata: _metadata, name: _name, title: _title, profile, env, mcp, skills, ...settings } = request;
  const secrets: Secrets = {
    ...(env ? { env } : {}),
    ...(mcp ? { mcp } : {}),
    ...(skills ? { skills } : {}),
    ...(profile && typeof profile !== "string" ? { profile } : {}),
  };
  return {
    ...settings,
    ...(mcp ? { mcp: plainServers(mcp as Servers) } : {}),
    ...(skills ? { skills: shownSkills(skills) } : {}),
    ...(Object.keys(secrets).length > 0 ? { sealed: box.seal(JSON.stringify(secrets)) } : {}),
    ...given,
    ...(idempotencyKey === undefined ? {} : { createdWith: idempotencyKey }),
  };
}

/** What is in plain of MCP servers: keys are often given as arguments, so that these are left out as well. */
export function plainServers(servers: Servers): Servers {
  const shown = Object.entries(shownServers(servers)).map(([name, server]) => {
    const { args } = server as { args?: readonly string[] | null };
    return [name, args ? { ...server, args: args.map(() => hiddenValue) } : server];
  });
  return Object.fromEntries(shown) as Servers;
}

/** The settings with their secrets, for a daemon. */
export function withSecrets({ sealed, ...settings }: SessionSettings, box: SecretBox): SessionSettings {
  return sealed === undefined ? settings : { ...settings, ...(JSON.parse(box.open(sealed)) as Secrets) };
}

/** The request with which a new daemon goes on as the one before it: with all changes since. */
export function currentRequest(
  { sandbox: _sandbox, createdWith: _key, sealed: _sealed, ...kept }: SessionSettings,
  changes: SessionChanges,
): CreateSessionRequest {
  const { profileReference: _reference, profileLosses: _losses, commands: _commands, ...settings } = kept;
  const { model, variant, agent_mode, permission_mode, policy, request_timeout } = changes;
  return {
    ...settings,
    ...present({
      model,
      variant,
      agentMode: agent_mode,
      permissionMode: permission_mode,
      policy,
      requestTimeout: request_timeout,
    }),
  };
}

/** `null` is a value: it takes back what was set before. */
function present<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
