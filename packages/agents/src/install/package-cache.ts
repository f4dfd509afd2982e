import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readRegularText } from "../files/read-regular-file.ts";
import { formatIntegrity, hasherOf, type Integrity, matches, parseIntegrity } from "./integrity.ts";
import type { ResolvedPackage } from "./resolve-package.ts";
import { fileListOf, linkFiles, readIntactFiles, type UnpackedFiles, writeFileList } from "./unpacked-files.ts";
import { isDead, isTemporary, temporaryName, writeWhole } from "./write-whole.ts";

/** Of each package this many versions are kept. */
const keptVersions = 2;

/** One version of a package as a registry, or a vendor, has it; they may differ. */
export interface PackageName {
  readonly registry: string;
  readonly name: string;
  readonly version: string;
}

/** A package on this machine, checked: as it was downloaded, or unpacked. */
export type CachedPackage =
  | { readonly archive: string; readonly folder?: never }
  | { readonly folder: string; readonly files: UnpackedFiles; readonly archive?: never };

/**
 * Packages that were downloaded, and what the registry said of them, so that a second installation needs no network. Kept
 * unpacked where the installed program can share its files, so that they are on the disk once; else as the archive.
 */
export class PackageCache {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** In the first of the directories that can be written. */
  static async open(directories: readonly [string, ...string[]]): Promise<PackageCache> {
    for (const directory of directories.slice(0, -1)) {
      try {
        await mkdir(directory, { recursive: true });
        await access(directory, constants.W_OK);
        return new PackageCache(directory);
      } catch {
        // The next one then.
      }
    }
    const last = directories.at(-1)!;
    await mkdir(last, { recursive: true });
    return new PackageCache(last);
  }

  /** Where it is kept as it was downloaded, whatever it is packed with. */
  archive(wanted: PackageName, integrity: Integrity): string {
    return `${this.#folder(wanted, integrity)}.tgz`;
  }

  #folder({ name, version }: PackageName, integrity: Integrity): string {
    return join(this.#directory, `${stem(name)}@${version}-${short(formatIntegrity(integrity))}`);
  }

  /** What is kept of this package as it was resolved before, if it is whole. */
  async find(wanted: PackageName): Promise<{ kept: CachedPackage; resolved: ResolvedPackage } | undefined> {
    const resolved = await readResolution(this.#note(wanted));
    const kept = resolved && (await this.findBytes(wanted, resolved.integrity));
    return kept && { kept, resolved };
  }

  async findBytes(wanted: PackageName, integrity: Integrity): Promise<CachedPackage | undefined> {
    const folder = this.#folder(wanted, integrity);
    const files = await readIntactFiles(folder);
    if (files) return { folder, files };
    const archive = this.archive(wanted, integrity);
    return (await isWhole(archive, integrity)) ? { archive } : undefined;
  }

  /** Call it when the package is there. */
  async remember(wanted: PackageName, { tarball, integrity }: ResolvedPackage): Promise<void> {
    const now = new Date();
    for (const path of [this.archive(wanted, integrity), this.#folder(wanted, integrity)]) {
      await utimes(path, now, now).catch(() => undefined);
    }
    await writeWhole(this.#note(wanted), JSON.stringify({ tarball, integrity: formatIntegrity(integrity) }));
    await this.#tidy(wanted.name);
  }

  /**
   * Keep the files of an archive that was unpacked in `directory` instead of the archive, sharing their bytes. Where that
   * is not possible, the archive stays: the two are then on different file systems.
   */
  async keepUnpacked(archive: string, directory: string, files: UnpackedFiles): Promise<void> {
    const folder = archive.replace(/\.tgz$/, "");
    // Another installation was faster, and a third may be reading what it kept.
    if (await readIntactFiles(folder)) return rm(archive, { force: true });
    const temporary = temporaryName(folder);
    try {
      await linkFiles(files, directory, temporary, { orCopy: false });
      await rm(fileListOf(folder), { force: true });
      await rm(folder, { recursive: true, force: true });
      await rename(temporary, folder);
      await writeFileList(folder, files);
      await rm(archive, { force: true });
    } catch {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  /** So that it is fetched again: what was kept turned out to be of no use. */
  async forget(wanted: PackageName): Promise<void> {
    const resolved = await readResolution(this.#note(wanted));
    await rm(this.#note(wanted), { force: true });
    if (resolved === undefined) return;
    const folder = this.#folder(wanted, resolved.integrity);
    const paths = [fileListOf(folder), folder, this.archive(wanted, resolved.integrity)];
    for (const path of paths) await rm(path, { recursive: true, force: true });
  }

  #note({ registry, name, version }: PackageName): string {
    return join(this.#directory, `${stem(name)}@${version}-${short(registry)}.json`);
  }

  async #tidy(name: string): Promise<void> {
    const files = await Promise.all((await readdir(this.#directory)).map((file) => describe(this.#directory, file)));
    const ours = files.filter(({ file }) => file.startsWith(`${stem(name)}@`)).sort((a, b) => b.usedAt - a.usedAt);
    const whole = ours.filter(({ file }) => !file.endsWith(".json") && !isTemporary(file));
    const old = whole.slice(keptVersions).flatMap(({ file }) => [file, fileListOf(file)]);
    const dead = files.filter(({ file, usedAt }) => isDead(file, usedAt));
    const gone = [...old, ...dead.map(({ file }) => file)];
    await Promise.all(gone.map((file) => rm(join(this.#directory, file), { recursive: true, force: true })));
  }
}

async function isWhole(archive: string, integrity: Integrity): Promise<boolean> {
  const hasher = hasherOf(integrity);
  try {
    await pipeline(createReadStream(archive), hasher);
    return matches(integrity, hasher);
  } catch {
    return false;
  }
}

async function readResolution(note: string): Promise<ResolvedPackage | undefined> {
  try {
    const { tarball, ...hashes } = JSON.parse(await readRegularText(note));
    const integrity = parseIntegrity(hashes);
    return typeof tarball === "string" && integrity ? { tarball, integrity } : undefined;
  } catch {
    return undefined;
  }
}

async function describe(directory: string, file: string): Promise<{ file: string; usedAt: number }> {
  const found = await stat(join(directory, file)).catch(() => undefined);
  return { file, usedAt: found?.mtimeMs ?? Date.now() };
}

const stem = (packageName: string) => packageName.replace("/", "+");
const short = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
