import { randomBytes } from "node:crypto";
import {
  type AgentAdapter,
  type AgentHost,
  prepareProfile,
  removeProfileFiles,
  statusNotice,
} from "@sandbox-agent-ts/agents";
import type { AgentProfile, EventDraft, ProfileLoss } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "./session-config.ts";

/** The session's settings with what its profile gives it, whose files are written then. */
export async function withProfile(
  profile: AgentProfile,
  config: SessionConfig,
  { adapter, agentHost, sessionId }: { adapter: AgentAdapter; agentHost: AgentHost; sessionId: string },
): Promise<SessionConfig> {
  const { directory } = config;
  const target = { adapter, host: agentHost, sessionId, directory, own: config };
  const { session, commands, losses, placed } = await prepareProfile(profile, target);
  return {
    ...config,
    ...session,
    ...(Object.keys(commands).length === 0 ? {} : { commands }),
    ...(losses.length === 0 ? {} : { profileLosses: losses }),
    ...(Object.keys(placed).length === 0 ? {} : { placedFiles: placed }),
  };
}

/** What the profile put into the session's directory. */
export async function removePlacedFiles({ directory, placedFiles }: SessionConfig): Promise<void> {
  if (placedFiles) await removeProfileFiles(directory, placedFiles);
}

/** What the agent does not get is told in the log, not passed over in silence. */
export function noticeOfLosses(losses: readonly ProfileLoss[] | undefined): readonly EventDraft[] {
  if (!losses || losses.length === 0) return [];
  const lines = losses.map(({ entity, name, reason }) => `${entity}${name ? ` ${name}` : ""}: ${reason}`);
  const notice = ["Parts of the profile are not used", lines.join("\n")] as const;
  return statusNotice(`itm_${randomBytes(6).toString("base64url")}`, notice);
}
