import { basename, join, resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost, SessionConfig } from "../agent.ts";
import { fetchRepository } from "./fetched-repositories.ts";
import { findSkills, type Skill, type SkillSource, type SkillsRoot } from "./find-skills.ts";
import { repositoryOf } from "./repository.ts";
import { allowedProtocols } from "./run-git.ts";

export type { Skill } from "./find-skills.ts";

type SkillsHost = Pick<AgentHost, "dataDir" | "env" | "log" | "spawn">;

/**
 * The skills of a session, ready on disk, each with a name of its own; those of repositories are fetched. Nothing is
 * written into the session's directory. How the agent learns of them is its own matter: `sessionInstructions` tells
 * their files in its instructions, `linkSkills` makes a folder of them for a program that reads one.
 *
 * Throws a `SandboxError` that says what to do when a source is not there or cannot be had.
 */
export async function prepareSkills(
  host: SkillsHost,
  { skills, directory }: Pick<SessionConfig, "skills" | "directory">,
): Promise<readonly Skill[]> {
  const found = await Promise.all(
    (skills?.sources ?? []).map(async (source) => findSkills(await rootOf(host, source, directory), source.skills)),
  );
  return distinct(found.flat());
}

async function rootOf(host: SkillsHost, source: SkillSource, directory: string): Promise<SkillsRoot> {
  const subpath = source.subpath ?? "";
  if (source.type === "local") {
    const folder = resolve(directory, source.source, subpath);
    return { folder, shown: folder, name: basename(folder) };
  }
  if (subpath.startsWith("/") || subpath.split(/[\\/]/).includes("..")) {
    const sentence = `The subpath "${subpath}" leads out of ${source.source}. Name a folder inside of it.`;
    throw new SandboxError("invalid_request", sentence);
  }
  const repository = repositoryOf(source, allowedProtocols(host));
  const within = await fetchRepository(host, repository);
  const folder = join(within, subpath);
  const name = subpath === "" ? repository.name : basename(folder);
  return { folder, shown: join(repository.name, subpath), name, within };
}

function distinct(skills: readonly Skill[]): Skill[] {
  const byName = new Map<string, Skill>();
  for (const skill of skills) {
    const known = byName.get(skill.name);
    if (known && known.folder !== skill.folder) {
      const sentence = `Two skills of the session are called ${skill.name}: ${known.folder} and ${skill.folder}. Choose with \`skills\` which to take.`;
      throw new SandboxError("invalid_request", sentence);
    }
    byName.set(skill.name, skill);
  }
  return [...byName.values()];
}
