import { loadAgents, profileLosses } from "@sandbox-agent-ts/agents";
import {
  type AgentProfile,
  type CreateSessionRequest,
  type ProfileLoss,
  SandboxError,
  shownCommands,
} from "@sandbox-agent-ts/protocol";
import type { GivenProfile } from "../sessions/session-settings.ts";
import type { Profiles } from "./profiles.ts";

export interface ResolvedProfile {
  /** What the session's record says: the name that was asked for, with a version where the runtime has it. */
  readonly name?: string;
  /** To be kept with the session, where no version of the runtime's own is. */
  readonly inline?: AgentProfile;
  readonly settings: GivenProfile;
}

/** What the profile of a new session comes to: one of the runtime, one of the application, or the request's own. */
export async function resolveProfile(
  profiles: Profiles,
  { agent, profile: wanted }: CreateSessionRequest,
): Promise<ResolvedProfile> {
  if (!wanted) return { settings: {} };
  if (typeof wanted !== "string") return { inline: wanted, settings: await about(agent, wanted) };
  const { reference, version, profile } = await profiles.get(wanted).catch((error: unknown) => {
    if (!(error instanceof SandboxError) || error.code !== "not_found") throw error;
    const { message } = error;
    throw new SandboxError("invalid_request", message, { details: { issues: [{ path: "profile", message }] } });
  });
  const settings = await about(agent, profile);
  if (version === undefined) return { name: reference, inline: profile, settings };
  return { name: reference, settings: { profileReference: reference, ...settings } };
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
