import { resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentProgram, LocatedProgram, ProgramPlace } from "./agent-program.ts";
import { findOnPath, isExecutable } from "./find-executable.ts";
import { listInstalled } from "./installed-programs.ts";
import { refreshNodeLink } from "./node-launcher.ts";
import { isComplete } from "./program-parts.ts";
import { versionOf } from "./program-version.ts";

/**
 * Where the program is, or `undefined`: what `SANDBOX_AGENT_<NAME>_BIN` names, else what is in the install root, else what
 * `PATH` has. A version that is asked for is exactly that one; without one it is ours, else the one installed last. Starts
 * nothing but, once per file, the program's own `--version`.
 *
 * Throws only when the variable names something that cannot be run: whoever set it wants to know.
 */
export async function locateProgram(
  program: AgentProgram,
  place: ProgramPlace,
  version?: string,
): Promise<LocatedProgram | undefined> {
  const { env, installRoot } = place;
  const named = env[binaryVariable(program.name)];
  if (named) return describe(program, env, await checkNamed(program, resolve(named)), "environment");
  const installed = (await listInstalled(installRoot, program.name)).filter((each) => isComplete(program, each));
  const chosen =
    installed.find((candidate) => candidate.version === (version ?? program.version)) ??
    (version === undefined ? installed[0] : undefined);
  if (chosen && (await hasItsNeeds(program, place))) {
    await refreshNodeLink(program, place);
    return { path: chosen.path, version: chosen.version, source: "installed" };
  }
  const onPath = await findOnPath(program.command ?? program.name, env.PATH);
  if (onPath === undefined) return undefined;
  const described = await describe(program, env, onPath, "path");
  return version === undefined || described.version === version ? described : undefined;
}

/** `locateProgram` for those who cannot go on without. */
export async function requireProgram(
  program: AgentProgram,
  place: ProgramPlace,
  version?: string,
): Promise<LocatedProgram> {
  const located = await locateProgram(program, place, version);
  if (located) return located;
  const { name } = program;
  const [wanted, id] = version === undefined ? [name, name] : [`${name} ${version}`, `${name}@${version}`];
  const sentence = `The program of ${wanted} is not there. Install it with \`sandbox-agent install-agent ${id}\`.`;
  throw new SandboxError("agent_not_installed", sentence, { agent: name });
}

/** The part of an `AgentProbe` that is the same for every agent with a program. Does not throw. */
export async function probeProgram(
  program: AgentProgram,
  place: ProgramPlace,
): Promise<{ installed: boolean; version?: string; path?: string; source?: LocatedProgram["source"] }> {
  const located = await locateProgram(program, place).catch(() => undefined);
  if (!located) return { installed: false };
  const { path, version, source } = located;
  return { installed: true, path, source, ...(version === undefined ? {} : { version }) };
}

async function hasItsNeeds({ needs = [] }: AgentProgram, place: ProgramPlace): Promise<boolean> {
  for (const need of needs) if (!(await locateProgram(need, place))) return false;
  return true;
}

export function binaryVariable(name: string): string {
  return `SANDBOX_AGENT_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_BIN`;
}

async function checkNamed({ name }: AgentProgram, path: string): Promise<string> {
  if (await isExecutable(path)) return path;
  const sentence = `${binaryVariable(name)} names ${path}, which is not a file that can be run. Correct it or unset it.`;
  throw new SandboxError("agent_not_installed", sentence, { agent: name });
}

async function describe(
  program: AgentProgram,
  env: ProgramPlace["env"],
  path: string,
  source: LocatedProgram["source"],
): Promise<LocatedProgram> {
  const version = await versionOf(program, path, env);
  return { path, source, ...(version === undefined ? {} : { version }) };
}
