import type { AgentProgram, LocatedProgram, ProgramPlace } from "./agent-program.ts";
import { exactVersion, type InstallOptions, installProgram, latestVersion } from "./install-program.ts";
import { locateProgram } from "./locate-program.ts";

/**
 * The program, installed when it is missing. One that somebody named in the environment is taken as it is; else a version
 * that is asked for must be exactly that one, and `latest` is looked up now.
 */
export async function ensureProgram(
  program: AgentProgram,
  place: ProgramPlace,
  options: Omit<InstallOptions, "reinstall"> = {},
): Promise<LocatedProgram> {
  if (options.version !== latestVersion) return locateOrInstall(program, place, options);
  const there = await locateProgram(program, place);
  if (there?.source === "environment") return there;
  const version = await exactVersion(program, place, options);
  return locateOrInstall(program, place, { ...options, version });
}

async function locateOrInstall(
  program: AgentProgram,
  place: ProgramPlace,
  options: InstallOptions,
): Promise<LocatedProgram> {
  return (await locateProgram(program, place, options.version)) ?? installProgram(program, place, options);
}
