import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Skill } from "./prepare-skills.ts";

/** Makes `directory` a folder of links, one for each skill and with its name; whatever was there is gone. */
export async function linkSkills(skills: readonly Skill[], directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await Promise.all(skills.map(({ name, folder }) => symlink(folder, join(directory, name), "dir")));
}
