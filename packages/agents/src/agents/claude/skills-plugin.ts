import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { linkSkills } from "../../skills/link-skills.ts";
import type { Skill } from "../../skills/prepare-skills.ts";

/** Skills appear to the agent as `session:<name>`. */
const manifest = { name: "session", version: "1.0.0", description: "The skills of this session" };

/** A plugin of links to the session's skills, or `undefined` when it has none. */
export async function writeSkillsPlugin(skills: readonly Skill[], pluginDir: string): Promise<string | undefined> {
  if (skills.length === 0) return undefined;
  await linkSkills(skills, join(pluginDir, "skills"));
  await mkdir(join(pluginDir, ".claude-plugin"), { recursive: true });
  await writeFile(join(pluginDir, ".claude-plugin", "plugin.json"), JSON.stringify(manifest));
  return pluginDir;
}
