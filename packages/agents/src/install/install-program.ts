import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentLogger } from "../agent.ts";
import type { AgentProgram, LocatedProgram, ProgramPlace } from "./agent-program.ts";
import { cacheDirectory } from "./cache-directory.ts";
import { duringStep } from "./install-failure.ts";
import { withInstallLock } from "./install-lock.ts";
import type { OnInstallProgress } from "./install-progress.ts";
import { type InstalledProgram, readInstalled } from "./installed-programs.ts";
import { locateProgram } from "./locate-program.ts";
import { defaultNetworkLimits, type NetworkLimits } from "./network-limits.ts";
import { refreshNodeLink } from "./node-launcher.ts";
import { PackageCache } from "./package-cache.ts";
import { isComplete, nameOfPart } from "./program-parts.ts";
import { findSources } from "./sources/find-sources.ts";
import { firstThatHas } from "./sources/first-that-has.ts";
import { isVersion, newestVersion } from "./sources/newest-version.ts";
import type { OpenedSource } from "./sources/program-source.ts";
import { type PartSource, storeProgram } from "./store-program.ts";

export interface InstallOptions {
  /** An exact version, or `latest` for the newest that can be had; default: the one the program's description names. */
  readonly version?: string;
  /** Even if it is there; the archive may come from the cache, if it is whole. */
  readonly reinstall?: boolean;
  readonly log?: AgentLogger;
  readonly limits?: NetworkLimits;
  readonly onProgress?: OnInstallProgress;
}

/** A program after `installProgram`, and where it came from this time. */
export interface InstalledArtifact {
  readonly program: string;
  readonly version: string;
  readonly path: string;
  readonly origin: "present" | "cache" | "download";
  /** What came over the network. */
  readonly downloadedBytes: number;
}

export interface InstallResult extends LocatedProgram {
  /** The program itself first, then what it needs. */
  readonly artifacts: readonly InstalledArtifact[];
}

const running = new Map<string, { result: Promise<InstallResult>; listeners: Set<OnInstallProgress> }>();

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
): Promise<InstallResult> {
  const { version = program.version, reinstall = false, onProgress } = options;
  if (version === latestVersion) return installNewest(program, place, options);
  const key = JSON.stringify([place.installRoot, program.name, version, reinstall]);
  const shared = running.get(key);
  if (shared) {
    if (onProgress) shared.listeners.add(onProgress);
    return shared.result;
  }
  const listeners = new Set(onProgress ? [onProgress] : []);
  const tellAll: OnInstallProgress = (progress) => {
    for (const listener of listeners) listener(progress);
  };
  const result = install(program, place, { ...options, version, onProgress: tellAll }).finally(() =>
    running.delete(key),
  );
  running.set(key, { result, listeners });
  return result;
}

/** Stands for the newest version that can be had: what is installed and recorded has its number. */
export const latestVersion = "latest";

async function installNewest(
  program: AgentProgram,
  place: ProgramPlace,
  options: InstallOptions,
): Promise<InstallResult> {
  return installProgram(program, place, { ...options, version: await exactVersion(program, place, options) });
}

/** What `latest` means now; every other version means itself. */
export async function exactVersion(
  program: AgentProgram,
  { env }: Pick<ProgramPlace, "env">,
  { version = program.version, limits }: Pick<InstallOptions, "version" | "limits">,
): Promise<string> {
  if (version !== latestVersion) return version;
  return ofAgent(program.name, () => newestVersion(program, env, limits));
}

type Wanted = InstallOptions & { readonly version: string; readonly onProgress: OnInstallProgress };

async function install(program: AgentProgram, place: ProgramPlace, wanted: Wanted): Promise<InstallResult> {
  const { name } = program;
  return ofAgent(name, async () => {
    checkVersion(wanted.version);
    const own = await duringStep("store", `Installing ${name}`, async () => {
      const present = async () => {
        const found = wanted.reinstall ? undefined : await readInstalled(place.installRoot, name, wanted.version);
        return found && isComplete(program, found) ? artifact(name, found, "present", 0) : undefined;
      };
      const waiting = () => wanted.onProgress({ program: name, version: wanted.version, step: "wait" });
      return (
        (await present()) ??
        (await alone(place, name, waiting, async () => (await present()) ?? add(program, place, wanted)))
      );
    });
    await refreshNodeLink(program, place);
    const artifacts = [own];
    for (const need of program.needs ?? []) artifacts.push(...(await provide(need, place, wanted)));
    return { path: own.path, version: own.version, source: "installed", artifacts };
  });
}

/** Failures say which agent they are about. */
async function ofAgent<T>(agent: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code, message, details, cause } = error;
    throw new SandboxError(code, message, { agent, details, cause });
  }
}

async function provide(
  need: AgentProgram,
  place: ProgramPlace,
  { log, limits, onProgress }: Wanted,
): Promise<readonly InstalledArtifact[]> {
  const located = await locateProgram(need, place);
  if (located) return [artifact(need.name, { version: need.version, ...located }, "present", 0)];
  const options = { onProgress, ...(log && { log }), ...(limits && { limits }) };
  return (await installProgram(need, place, options)).artifacts;
}

function artifact(
  program: string,
  { version, path }: Pick<InstalledProgram, "version" | "path">,
  origin: InstalledArtifact["origin"],
  downloadedBytes: number,
): InstalledArtifact {
  return { program, version, path, origin, downloadedBytes };
}

/** The tags of npm are none: a session keeps its version. */
function checkVersion(version: string): void {
  if (isVersion(version)) return;
  const sentence = `"${version}" is not a version. Give an exact one, e.g. 1.2.3, or latest.`;
  throw new SandboxError("invalid_request", sentence);
}

async function alone<T>(
  { installRoot }: ProgramPlace,
  name: string,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(join(installRoot, name), { recursive: true });
  return withInstallLock(join(installRoot, name, "install.lock"), work, onWait);
}

async function add(program: AgentProgram, place: ProgramPlace, wanted: Wanted): Promise<InstalledArtifact> {
  const { env, installRoot } = place;
  const { version, log, limits = defaultNetworkLimits, onProgress } = wanted;
  const cache = await PackageCache.open([join(cacheDirectory(env), "packages"), join(installRoot, ".packages")]);
  log?.info({ agent: program.name, version }, "installing");
  onProgress({ program: program.name, version, step: "registry" });
  const { installed, downloadedBytes } = await firstThatHas(
    findSources({ program, version, env, cache, limits }).map(({ label, open }) => ({
      label,
      attempt: async () => storeFrom(await open(), cache, program, place, wanted),
    })),
    (source, { message: reason }) =>
      log?.warn({ agent: program.name, version, source, reason }, "not to be had there, asking the next"),
  );
  log?.info({ agent: program.name, version, from: installed.from, path: installed.path }, "installed");
  return artifact(program.name, installed, downloadedBytes > 0 ? "download" : "cache", downloadedBytes);
}

async function storeFrom(
  source: OpenedSource,
  cache: PackageCache,
  program: AgentProgram,
  place: ProgramPlace,
  { version, onProgress }: Wanted,
): ReturnType<typeof storeProgram> {
  const onStep: PartSource["onStep"] = (progress, part) =>
    onProgress({ program: program.name, version, ...(part && { package: nameOfPart(part) }), ...progress });
  const parts: PartSource = {
    from: source.name,
    fetchPart: (part) => source.fetchPart(part, (progress) => onStep(progress, part)),
    keepUnpacked: async (archive, directory, files) => {
      if (source.isCached) await cache.keepUnpacked(archive, directory, files);
    },
    onStep,
  };
  try {
    return await storeProgram(program, place, { ...source.whole, version }, parts);
  } catch (error) {
    if (isOfContent(error)) await source.forget();
    throw error;
  }
}

/** The archive has the right hash and is of no use all the same. */
function isOfContent(error: unknown): boolean {
  const step = error instanceof SandboxError ? (error.details as { step?: string } | undefined)?.step : undefined;
  return step === "unpack" || step === "verify";
}
