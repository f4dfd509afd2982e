import { access, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { SandboxError, type SkillsConfig } from "@sandbox-agent/protocol";

type SkillSource = SkillsConfig["sources"][number];

/** Skills appear to the agent as `session:<name>`. */
const manifest = { name: "session", version: "1.0.0", description: "The skills of this session" };

/** A plugin of links to the session's skills, or `undefined` when it has none. */
export async function writeSkillsPlugin(
  skills: SkillsConfig | undefined,
  sessionDirectory: string,
  pluginDir: string,
): Promise<string | undefined> {
  const sources = skills?.sources ?? [];
  if (sources.length === 0) return undefined;
  const folders = (await Promise.all(sources.map((source) => skillFolders(source, sessionDirectory)))).flat();
  await rm(pluginDir, { recursive: true, force: true });
  await mkdir(join(pluginDir, ".claude-plugin"), { recursive: true });
  await mkdir(join(pluginDir, "skills"));
  await writeFile(join(pluginDir, ".claude-plugin", "plugin.json"), JSON.stringify(manifest));
  await Promise.all(folders.map((folder) => symlink(folder, join(pluginDir, "skills", basename(folder)), "dir")));
  return pluginDir;
}

/** The folders with a `SKILL.md`: the source itself, or those right inside of it. */
async function skillFolders(source: SkillSource, sessionDirectory: string): Promise<string[]> {
  const root = rootOf(source, sessionDirectory);
  const wanted = (folder: string) => !source.skills || source.skills.includes(basename(folder));
  if (await isSkill(root)) return [root].filter(wanted);
  const entries = await readdir(root).catch(() => []);
  const folders = entries.map((name) => join(root, name)).filter(wanted);
  const found = await Promise.all(folders.map(async (folder) => ((await isSkill(folder)) ? [folder] : [])));
  if (found.flat().length > 0) return found.flat();
  throw new SandboxError("invalid_request", `No skill was found in ${root}: a skill is a folder with a SKILL.md.`);
}

function rootOf({ type, source, subpath }: SkillSource, sessionDirectory: string): string {
  if (type === "local") return resolve(sessionDirectory, source, subpath ?? "");
  const sentence = `Skills from ${type} are not fetched for Claude Code. Clone ${source} and name its folder as a local source.`;
  throw new SandboxError("invalid_request", sentence, { agent: "claude" });
}

async function isSkill(folder: string): Promise<boolean> {
  return access(join(folder, "SKILL.md")).then(
    () => true,
    () => false,
  );
}
