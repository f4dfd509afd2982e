import type { AgentProgram, LocatedProgram, ProgramPlace } from "./agent-program.ts";
import { type InstallOptions, installProgram } from "./install-program.ts";
import { locateProgram } from "./locate-program.ts";

/**
 * The program, installed when it is missing. One that somebody named in the environment is taken as it is; else a version
 * that is asked for must be exactly that one.
 */
export async function ensureProgram(
  program: AgentProgram,
  place: ProgramPlace,
  options: Omit<InstallOptions, "reinstall"> = {},
): Promise<LocatedProgram> {
  return (await locateProgram(program, place, options.version)) ?? installProgram(program, place, options);
}
