import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHost, SessionConfig } from "../../agent.ts";
import { sessionFolder, sessionImages } from "../../files/session-folders.ts";
import { ownNode } from "../../process/own-node.ts";
import { linkSkills } from "../../skills/link-skills.ts";
import { prepareSkills } from "../../skills/prepare-skills.ts";
import { mcpConfig } from "./mcp-config.ts";
import { helperSource, launcherSource } from "./permissions/permission-helper.ts";
import { permissionModeOf, sessionSettings } from "./session-settings.ts";
import { withoutSkillServers } from "./skill-servers.ts";
import { readUserSettings } from "./user-settings.ts";

/** Only the owner may read and change them: they hold secrets, and say what Amp may do. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE = 0o600;
const PRIVATE_PROGRAM = 0o700;

/** What a session has on disk, in our own directory and never in the user's. */
export interface SessionFiles {
  readonly directory: string;
  /** Images of the conversation, which stay when the session is closed. */
  readonly imagesDir: string;
  remove(): Promise<void>;
}

export async function makeSessionFiles({ dataDir }: AgentHost, { sessionId }: SessionConfig): Promise<SessionFiles> {
  const directory = sessionFolder(dataDir, sessionId);
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  return {
    directory,
    imagesDir: sessionImages(dataDir, sessionId),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** What a process is launched with. Written before each turn, since the user's settings may have changed. */
export async function writeLaunchFiles(
  host: AgentHost,
  session: SessionConfig,
  directory: string,
  socket: string,
): Promise<{ settingsFile: string; mcpFile?: string }> {
  const env = { ...host.env, ...session.env };
  const [helper, program] = [join(directory, "ask.mjs"), join(directory, "ask")];
  const [settingsFile, mcpFile] = [join(directory, "settings.json"), join(directory, "mcp.json")];
  const servers = mcpConfig(session.mcp ?? {}, env);
  const node = (await ownNode(directory)) ?? process.execPath;
  const skillsDir = await writeSkills(host, session, directory);
  const mode = permissionModeOf(session);
  const asksEverything = session.asksEverything === true;
  const files = { helper: program, asksEverything, ...(skillsDir === undefined ? {} : { skillsDir }) };
  const user = await readUserSettings(env);
  const settings = {
    ...sessionSettings(user, mode, files),
    ...(await withoutSkillServers(session, user, servers ?? {})),
  };
  await Promise.all([
    writeFile(helper, helperSource, { mode: PRIVATE }),
    writeFile(program, launcherSource(node, helper, socket), { mode: PRIVATE_PROGRAM }),
    writeFile(settingsFile, JSON.stringify(settings), { mode: PRIVATE }),
    ...(servers ? [writeFile(mcpFile, JSON.stringify(servers), { mode: PRIVATE })] : []),
  ]);
  await chmod(program, PRIVATE_PROGRAM);
  return { settingsFile, ...(servers ? { mcpFile } : {}) };
}

async function writeSkills(host: AgentHost, session: SessionConfig, directory: string): Promise<string | undefined> {
  const skills = await prepareSkills(host, session);
  if (skills.length === 0) return undefined;
  const folder = join(directory, "skills");
  await linkSkills(skills, folder);
  return folder;
}
