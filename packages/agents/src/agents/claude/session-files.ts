import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHost, SessionConfig } from "../../agent.ts";
import { sessionFolder, sessionImages } from "../../files/session-folders.ts";
import { prepareSkills } from "../../skills/prepare-skills.ts";
import { mcpConfig } from "./mcp-config.ts";
import { writeSkillsPlugin } from "./skills-plugin.ts";

/** Only the owner may read it: servers are configured with secrets. */
const PRIVATE = 0o600;

export interface SessionFiles {
  /** Images of the conversation, which stay when the session is closed. */
  readonly imagesDir: string;
  /** What a process is launched with. */
  readonly launch: { readonly mcpFile?: string; readonly pluginDir?: string };
  remove(): Promise<void>;
}

/** What a session's MCP servers and skills need on disk, in our own directory and never in the user's. */
export async function writeSessionFiles(host: AgentHost, session: SessionConfig): Promise<SessionFiles> {
  const directory = sessionFolder(host.dataDir, session.sessionId);
  const mcpFile = join(directory, "mcp.json");
  const config = mcpConfig(session.mcp ?? {}, { ...host.env, ...session.env });
  if (config) {
    await mkdir(directory, { recursive: true });
    await writeFile(mcpFile, JSON.stringify(config), { mode: PRIVATE });
  }
  const pluginDir = await writeSkillsPlugin(await prepareSkills(host, session), join(directory, "plugin"));
  return {
    imagesDir: sessionImages(host.dataDir, session.sessionId),
    launch: { ...(config ? { mcpFile } : {}), ...(pluginDir === undefined ? {} : { pluginDir }) },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
