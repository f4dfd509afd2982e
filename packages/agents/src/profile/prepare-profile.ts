import type { AgentProfile, ProfileLoss } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, AgentHost, SessionConfig } from "../agent.ts";
import { sessionProfileSkills } from "../files/session-folders.ts";
import { type PlacedFiles, placeProfileFiles, writeProfileSkills } from "./profile-files.ts";
import { profileLosses } from "./profile-losses.ts";
import { sessionOfProfile } from "./session-of-profile.ts";

export interface ProfileTarget {
  readonly adapter: AgentAdapter;
  readonly host: Pick<AgentHost, "dataDir">;
  readonly sessionId: string;
  readonly directory: string;
  /** What the session was asked to have besides. */
  readonly own: Parameters<typeof sessionOfProfile>[1];
}

export interface PreparedProfile {
  /** To be laid over the session's settings. */
  readonly session: ReturnType<typeof sessionOfProfile>;
  readonly commands: NonNullable<AgentProfile["commands"]>;
  readonly losses: readonly ProfileLoss[];
  /** Written into the session's directory; for `removeProfileFiles` when the session is deleted. */
  readonly placed: PlacedFiles;
}

/**
 * Makes of a profile what a session is opened with: its skills are written into the agent's own folder, which goes with the
 * session, its files into the session's directory, and the rest becomes settings, which the adapter compiles into the
 * places where its program looks. Called once, before the first `open`; what it answers is kept with the session.
 */
export async function prepareProfile(profile: AgentProfile, target: ProfileTarget): Promise<PreparedProfile> {
  const { adapter, host, sessionId, directory, own } = target;
  const folder = sessionProfileSkills(host.dataDir, sessionId);
  await writeProfileSkills(profile, folder);
  const { placed, losses } = await placeProfileFiles(profile, directory);
  const session: Partial<SessionConfig> = sessionOfProfile(profile, own, folder);
  return {
    session,
    commands: profile.commands ?? {},
    losses: [...profileLosses(adapter, profile), ...losses],
    placed,
  };
}
