import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SessionConfig } from "../../agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { exists, repositoryFolders } from "../../files/repository-folders.ts";
import { trustsRepository } from "../../permissions/trusts-repository.ts";
import { isRecord } from "./convert/json.ts";
import type { Settings } from "./user-settings.ts";

const setting = "amp.mcpPermissions";
/** Where Amp looks for skills in a repository. */
const folders = [".agents/skills", ".claude/skills"];

type Servers = Readonly<Record<string, unknown>>;

interface ServerRule {
  readonly matches: Readonly<Record<string, string>>;
  readonly action: "allow" | "reject";
}

/**
 * Amp starts the MCP servers that skills of a repository name, unasked, and knows no rule about skills. Where there are such
 * skills only the servers of the session and of the user start.
 */
export async function withoutSkillServers(session: SessionConfig, user: Settings, servers: Servers): Promise<Settings> {
  if (trustsRepository(session) || !(await bringsServers(session.directory))) return {};
  const own = user["amp.mcpServers"];
  const known = [...Object.values(servers), ...Object.values(isRecord(own) ? own : {})];
  const rules = Array.isArray(user[setting]) ? user[setting] : [];
  const all: ServerRule[] = [
    { matches: { command: "*" }, action: "reject" },
    { matches: { url: "*" }, action: "reject" },
  ];
  const rejections = rules.filter((rule) => isRecord(rule) && rule.action === "reject");
  return { [setting]: [...rejections, ...known.flatMap(allowed), ...all] };
}

function allowed(server: unknown): ServerRule[] {
  if (!isRecord(server)) return [];
  const { command, args, url } = server;
  if (typeof url === "string") return [{ matches: { url: exactly(url) }, action: "allow" }];
  if (typeof command !== "string") return [];
  const all = Array.isArray(args) ? { args: exactly(args.join(" ")) } : {};
  return [{ matches: { command: exactly(command), ...all }, action: "allow" }];
}

/** In Amp's rules `*` means something, and what stands between slashes is an expression, for any line of the text. */
function exactly(text: string): string {
  return `/(?<![\\s\\S])${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\s\\S])/`;
}

async function bringsServers(directory: string): Promise<boolean> {
  const places = (await repositoryFolders(directory)).flatMap((root) => folders.map((folder) => join(root, folder)));
  const skills = (await Promise.all(places.map(skillsIn))).flat();
  return (await Promise.all(skills.map(namesServers))).includes(true);
}

async function skillsIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

async function namesServers(skill: string): Promise<boolean> {
  if (await exists(join(skill, "mcp.json"))) return true;
  return (await readRegularText(join(skill, "SKILL.md")).catch(() => "")).includes("mcpServers");
}
