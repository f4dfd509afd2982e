import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentProgram, ProgramPlace } from "./agent-program.ts";
import type { FetchedPackage } from "./fetch-package.ts";
import { isExecutable } from "./find-executable.ts";
import { duringStep, installFailure } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import {
  type InstalledProgram,
  type InstallRecord,
  readInstalled,
  recordName,
  versionFolder,
} from "./installed-programs.ts";
import { isOtherVersion } from "./is-other-version.ts";
import { writeNodeLauncher } from "./node-launcher.ts";
import type { CachedPackage } from "./package-cache.ts";
import { currentPlatform } from "./platform.ts";
import { nameOfPart, type ProgramPart, type ProgramParts } from "./program-parts.ts";
import { askVersion } from "./program-version.ts";
import type { SourceName } from "./sources/program-source.ts";
import { type UnpackOptions, unpackArchive } from "./unpack-archive.ts";
import { linkFiles, type UnpackedFiles } from "./unpacked-files.ts";
import { writeWhole } from "./write-whole.ts";

const shownStderrLength = 4_000;

/**
 * Fetches, unpacks, tries out and only then records a program. The caller has the lock. Parts are fetched one after
 * another, each just before it is unpacked: the cache may drop it soon after.
 */
export async function storeProgram(
  program: AgentProgram,
  place: ProgramPlace,
  { version, parts, binary, nodeEntry, node }: ProgramParts & { readonly version: string },
  { from, fetchPart, keepUnpacked, onStep }: PartSource,
): Promise<{ installed: InstalledProgram; downloadedBytes: number }> {
  const [, ...others] = parts;
  const main = await fetchPart(parts[0]);
  let { downloadedBytes } = main;
  const home = versionFolder(place.installRoot, program.name, version);
  const before = await readInstalled(place.installRoot, program.name, version);
  await mkdir(home, { recursive: true });
  await removeLeftovers(home, before);
  const folder = randomBytes(4).toString("hex");
  const path = join(home, folder, binary);
  try {
    const unpacked: (() => Promise<void>)[] = [];
    for (const part of parts) {
      const fetched = part === parts[0] ? main : await fetchPart(part);
      if (part !== parts[0]) downloadedBytes += fetched.downloadedBytes;
      const target = join(home, folder, part.folder);
      const executable = part.folder === "" ? binary : undefined;
      const report: OnStep = (progress) => onStep(progress, part);
      const options = { executable, onStep: report, ...(part.format && { format: part.format }) };
      const files = await placePart(fetched, target, options, () => fetchPart(part));
      const { archive } = fetched.content;
      if (archive !== undefined) unpacked.push(() => keepUnpacked(archive, target, files));
    }
    onStep({ step: "verify" });
    if (nodeEntry !== undefined) await writeNodeLauncher(path, { nodeEntry, node }, place);
    const record: InstallRecord = {
      version,
      platform: currentPlatform(),
      from,
      package: parts[0].name,
      integrity: main.integrity,
      says: await tryOut(program, version, path, place.env),
      folder,
      binary,
      ...(others.length > 0 ? { dependencies: others.map(nameOfPart) } : {}),
      installedAt: Date.now(),
    };
    await writeWhole(join(home, recordName), `${JSON.stringify(record, undefined, 2)}\n`);
    await removeAllBut(home, [recordName, folder]);
    for (const keep of unpacked) await keep();
    return { installed: { ...record, path }, downloadedBytes };
  } catch (error) {
    // Not the folder of a record that could be written before something later failed.
    const now = await readInstalled(place.installRoot, program.name, version);
    if (now?.folder !== folder) await rm(join(home, folder), { recursive: true, force: true });
    throw withUrl(error, main.url);
  }
}

/** Where the parts of a program come from, and who is told of it. */
export interface PartSource {
  readonly from: SourceName;
  fetchPart(part: ProgramPart): Promise<FetchedPackage>;
  /** Called for each archive that was unpacked, once the program is installed. */
  keepUnpacked(archive: string, directory: string, files: UnpackedFiles): Promise<void>;
  onStep(progress: Parameters<OnStep>[0], part?: ProgramPart): void;
}

/** Another process may clear what it no longer needs out of the cache we read from: then it is fetched once more. */
async function placePart(
  fetched: FetchedPackage,
  target: string,
  options: UnpackOptions,
  fetchAgain: () => Promise<FetchedPackage>,
): Promise<UnpackedFiles> {
  try {
    return await placeContent(fetched.content, target, options);
  } catch (error) {
    if (existsSync(fetched.content.folder ?? fetched.content.archive)) throw error;
    await rm(target, { recursive: true, force: true });
    return placeContent((await fetchAgain()).content, target, options);
  }
}

async function placeContent(
  { archive, folder, files }: CachedPackage & { readonly files?: UnpackedFiles },
  target: string,
  options: UnpackOptions,
): Promise<UnpackedFiles> {
  await mkdir(target, { recursive: true });
  if (archive !== undefined) return unpackArchive(archive, target, options);
  options.onStep?.({ step: "unpack" });
  await duringStep("unpack", "Unpacking the package", () => linkFiles(files!, folder, target, { orCopy: true }));
  return files!;
}

/** A program that does not run here is not installed. */
async function tryOut(
  program: AgentProgram,
  wanted: string,
  path: string,
  env: ProgramPlace["env"],
): Promise<string | null> {
  if (!(await isExecutable(path))) {
    throw installFailure(`The package does not have the program of ${program.name} in it.`, { step: "verify" });
  }
  const { version, failure, stderr } = await askVersion(program, path, env);
  if (version !== undefined && isOtherVersion(version, wanted)) {
    const sentence = `What came as ${program.name} ${wanted} says that it is ${version}: it is not kept. Ask whoever runs the place it comes from.`;
    throw installFailure(sentence, { step: "verify" });
  }
  if (failure === undefined) return version ?? null;
  throw installFailure(`${program.name} was downloaded but does not run on this machine: ${failure}.`, {
    step: "verify",
    stderr: stderr.slice(-shownStderrLength),
  });
}

async function removeAllBut(folder: string, kept: readonly string[]): Promise<void> {
  const others = (await readdir(folder)).filter((name) => !kept.includes(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** What dead installations left: a folder in a version that its record does not name, a version without a record. */
async function removeLeftovers(home: string, installed: InstalledProgram | undefined): Promise<void> {
  await removeAllBut(home, [recordName, ...(installed ? [installed.folder] : [])]);
  const versions = (await readdir(dirname(home), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const folder of versions.map(({ name }) => join(dirname(home), name)).filter((path) => path !== home)) {
    if (!existsSync(join(folder, recordName))) await rm(folder, { recursive: true, force: true });
  }
}

function withUrl(error: unknown, url: string): unknown {
  if (!(error instanceof SandboxError)) return error;
  const { message, details, cause } = error;
  return installFailure(message, { url, ...(details as { step: "unpack" | "verify" }) }, cause);
}
