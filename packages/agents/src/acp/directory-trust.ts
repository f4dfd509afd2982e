import { SandboxError } from "@sandbox-agent-ts/protocol";
import { enabledServers } from "../mcp/enabled-servers.ts";
import { trustsRepository } from "../permissions/trusts-repository.ts";
import type { AcpPlace, IgnoredSettings } from "./acp-agent.ts";

/** Files of a directory by which a program would let itself do things, unless it is told not to trust the directory. */
export interface DirectoryFiles {
  readonly agent: { readonly id: string; readonly displayName: string };
  /** Has the user trusted the directory in the program itself? */
  isTrusted(place: AcpPlace): Promise<boolean>;
  /** What the files ask for, by names that a person finds in them; what is harmless left out. */
  asks(place: AcpPlace): Promise<readonly string[]>;
  /** A sentence. */
  readonly howToTrust: string;
}

/** What the files ask for and do not get; `undefined` where nothing is, or where the directory is trusted. */
export async function ignoredOf(files: DirectoryFiles, place: AcpPlace): Promise<IgnoredSettings | undefined> {
  if (trustsRepository(place.session) || (await files.isTrusted(place))) return undefined;
  const asked = await files.asks(place);
  return asked.length === 0 ? undefined : { asked, howToTrust: files.howToTrust };
}

/**
 * Whether the program may take the directory for trusted: where its files ask for nothing there is nothing to be kept from.
 * Throws where it may not and the session needs MCP servers, which such programs start in trusted directories only.
 */
export async function trustsDirectory(files: DirectoryFiles, place: AcpPlace): Promise<boolean> {
  const ignored = await ignoredOf(files, place);
  const { directory, mcp } = place.session;
  if (ignored === undefined || enabledServers(mcp).length === 0) return ignored === undefined;
  const { id, displayName } = files.agent;
  const sentence =
    `Files of ${directory} ask for ${ignored.asked.join(", ")}, by which ${displayName} would do things unasked. It can be ` +
    `kept from that only without MCP servers. ${files.howToTrust} Or leave the session's MCP servers out, or use the ` +
    "permission mode bypass.";
  throw new SandboxError("permission_denied", sentence, { agent: id });
}
