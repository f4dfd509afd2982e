import { loadAgents, profileLosses } from "@sandbox-agent-ts/agents";
import {
  type AgentProfile,
  type CreateSessionRequest,
  type ProfileLoss,
  SandboxError,
  shownCommands,
} from "@sandbox-agent-ts/protocol";
import type { SessionPersistence } from "../persistence/session-persistence.ts";
import type { GivenProfile } from "../sessions/session-settings.ts";
import type { Profiles } from "./profiles.ts";

export interface ResolvedProfile {
  /** What the session's record says: the name that was asked for, with a version where the runtime has it. */
  readonly name?: string;
  /** To be kept with the session, where no version of the runtime's own is. */
  readonly inline?: AgentProfile;
  readonly settings: GivenProfile;
}

export interface ProfileSources {
  readonly profiles: Profiles;
  readonly persistence?: SessionPersistence | undefined;
}

/** What the profile of a new session comes to: one of the runtime, one of the application, or the request's own. */
export async function resolveProfile(
  { profiles, persistence }: ProfileSources,
  { agent, profile: wanted }: CreateSessionRequest,
): Promise<ResolvedProfile> {
  if (!wanted) return { settings: {} };
  if (typeof wanted !== "string") return { inline: wanted, settings: await about(agent, wanted) };
  const known = await profiles.get(wanted).catch((error: unknown) => {
    if (error instanceof SandboxError && error.code === "not_found") return undefined;
    throw error;
  });
  if (known) {
    const { reference, profile } = known;
    return { name: reference, settings: { profileReference: reference, ...(await about(agent, profile)) } };
  }
  const inline = await persistence?.profile(wanted);
  if (inline) return { name: wanted, inline, settings: await about(agent, inline) };
  const message = `There is no profile "${wanted}". \`GET /api/profiles\` lists those there are.`;
  throw new SandboxError("invalid_request", message, { details: { issues: [{ path: "profile", message }] } });
}

async function about(agent: string, profile: AgentProfile): Promise<GivenProfile> {
  const losses = await lossesOf(agent, profile);
  const { commands } = profile;
  return {
    ...(losses.length === 0 ? {} : { profileLosses: losses }),
    ...(commands && Object.keys(commands).length > 0 ? { commands: shownCommands(commands) } : {}),
  };
}

/** Of an agent that only the sandbox's daemon knows, the log says what is lost. */
async function lossesOf(agent: string, profile: AgentProfile): Promise<ProfileLoss[]> {
  const adapter = (await loadAgents()).find(({ id }) => id === agent);
  return adapter ? profileLosses(adapter, profile) : [];
}
