import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentLogger } from "../agent.ts";
import type { AgentProgram, LocatedProgram, ProgramPlace } from "./agent-program.ts";
import { cacheDirectory } from "./cache-directory.ts";
import { fetchPackage } from "./fetch-package.ts";
import { duringStep } from "./install-failure.ts";
import { withInstallLock } from "./install-lock.ts";
import { type InstalledProgram, readInstalled } from "./installed-programs.ts";
import { locateProgram } from "./locate-program.ts";
import { defaultNetworkLimits, type NetworkLimits } from "./network-limits.ts";
import { findRegistries } from "./npm-registry.ts";
import { PackageCache } from "./package-cache.ts";
import { isComplete, programParts } from "./program-parts.ts";
import { storeProgram } from "./store-program.ts";

export interface InstallOptions {
  /** An exact version; default: the one the program's description names. */
  readonly version?: string;
  /** Even if it is there; the archive may come from the cache, if it is whole. */
  readonly reinstall?: boolean;
  readonly log?: AgentLogger;
  readonly limits?: NetworkLimits;
}

const running = new Map<string, Promise<LocatedProgram>>();

/**
 * Makes a version of the program present in the install root, and of what it needs the version that is missing.
 *
 * All or nothing: however it ends, also by kill -9 or a power cut, the version is there as it was before or whole and
 * tried out, and the next installation removes what a dead one left. Two at once in this process are one; of two processes
 * one waits for the other. Fails with `install_failed` and a sentence that says what to do.
 */
export function installProgram(
  program: AgentProgram,
  place: ProgramPlace,
  options: InstallOptions = {},
): Promise<LocatedProgram> {
  const { version = program.version, reinstall = false } = options;
  const key = JSON.stringify([place.installRoot, program.name, version, reinstall]);
  const shared =
    running.get(key) ?? install(program, place, { ...options, version }).finally(() => running.delete(key));
  running.set(key, shared);
  return shared;
}

type Wanted = InstallOptions & { readonly version: string };

async function install(program: AgentProgram, place: ProgramPlace, wanted: Wanted): Promise<LocatedProgram> {
  const { name } = program;
  try {
    checkVersion(wanted.version);
    const { path, version } = await duringStep("store", `Installing ${name}`, async () => {
      const present = async () => {
        const found = wanted.reinstall ? undefined : await readInstalled(place.installRoot, name, wanted.version);
        return found && isComplete(program, found) ? found : undefined;
      };
      return (
        (await present()) ?? (await alone(place, name, async () => (await present()) ?? add(program, place, wanted)))
      );
    });
    for (const need of program.needs ?? []) await provide(need, place, wanted);
    return { path, version, source: "installed" };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code, message, details, cause } = error;
    throw new SandboxError(code, message, { agent: name, details, cause });
  }
}

async function provide(need: AgentProgram, place: ProgramPlace, { log, limits }: InstallOptions): Promise<void> {
  if (await locateProgram(need, place)) return;
  await installProgram(need, place, { ...(log && { log }), ...(limits && { limits }) });
}

/** A version becomes the name of a folder. The tags of npm are none: a session keeps its version. */
function checkVersion(version: string): void {
  if (/^\d[0-9a-z.+-]{0,127}$/i.test(version)) return;
  throw new SandboxError("invalid_request", `"${version}" is not a version. Give an exact one, e.g. 1.2.3.`);
}

async function alone<T>({ installRoot }: ProgramPlace, name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(join(installRoot, name), { recursive: true });
  return withInstallLock(join(installRoot, name, "install.lock"), work);
}

async function add(program: AgentProgram, place: ProgramPlace, wanted: Wanted): Promise<InstalledProgram> {
  const { env, installRoot } = place;
  const { version, log, limits = defaultNetworkLimits } = wanted;
  const whole = programParts(program, version);
  const cache = await PackageCache.open([join(cacheDirectory(env), "packages"), join(installRoot, ".packages")]);
  log?.info({ agent: program.name, version, packages: whole.parts.length }, "installing");
  const registryOf = await findRegistries(env);
  const installed = await storeProgram(program, place, { ...whole, version }, (part) =>
    fetchPackage(registryOf(part.name), part, cache, limits),
  );
  log?.info({ agent: program.name, version, path: installed.path }, "installed");
  return installed;
}
