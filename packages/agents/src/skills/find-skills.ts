import { readdir, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { SandboxError, type SkillsConfig } from "@sandbox-agent-ts/protocol";
import { readRegularText } from "../files/read-regular-file.ts";
import { readSkillHeader } from "./skill-header.ts";

export type SkillSource = SkillsConfig["sources"][number];

/** A folder with a `SKILL.md`. */
export interface Skill {
  /** Good as the name of a file. */
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  /** Its `SKILL.md`. */
  readonly file: string;
}

/** Where the skills of a source are. */
export interface SkillsRoot {
  readonly folder: string;
  /** For a person, e.g. the address it came from. */
  readonly shown: string;
  /** What the folder itself is called when it is a skill without a name. */
  readonly name: string;
  /** Nothing outside of this folder is taken, wherever links lead; a fetched one must not point at the user's files. */
  readonly within?: string;
}

/** So that it can be the name of a file or a link. */
const plainName = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** The folder itself, or else the skills right inside of it, or else those in its folder `skills`; by name. */
export async function findSkills(root: SkillsRoot, wanted: SkillSource["skills"]): Promise<Skill[]> {
  const own = await readSkill(root, root.folder, root.name);
  const found = own ? [own] : await skillsInside(root);
  const missing = (wanted ?? []).filter((name) => !found.some((skill) => isCalled(skill, name)));
  if (found.length === 0) {
    throw new SandboxError(
      "invalid_request",
      `No skill was found in ${root.shown}: a skill is a folder with a SKILL.md.`,
    );
  }
  if (missing.length > 0) {
    const there = found.map(({ name }) => name).join(", ");
    throw new SandboxError("invalid_request", `${root.shown} has no skill ${missing.join(", ")}. It has: ${there}.`);
  }
  return wanted ? found.filter((skill) => wanted.some((name) => isCalled(skill, name))) : found;
}

function isCalled({ name, folder }: Skill, wanted: string): boolean {
  return name === wanted || basename(folder) === wanted;
}

async function skillsInside(root: SkillsRoot): Promise<Skill[]> {
  for (const folder of [root.folder, join(root.folder, "skills")]) {
    const names = (await readdir(folder).catch(() => [])).sort();
    const skills = await Promise.all(names.map((name) => readSkill(root, join(folder, name), name)));
    const found = skills.filter((skill) => skill !== undefined);
    if (found.length > 0) return found;
  }
  return [];
}

async function readSkill(root: SkillsRoot, folder: string, fallback: string): Promise<Skill | undefined> {
  const file = join(folder, "SKILL.md");
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return undefined;
  if (root.within !== undefined && !real.startsWith((await realpath(root.within)) + sep)) {
    throw new SandboxError(
      "permission_denied",
      `A skill of ${root.shown} leads out of it and is not taken: ${fallback}.`,
    );
  }
  const text = await readRegularText(real).catch(() => undefined);
  if (text === undefined) return undefined;
  const { name = "", description = "" } = readSkillHeader(text);
  return { name: plainName.test(name) ? name : fallback, description, folder, file };
}
