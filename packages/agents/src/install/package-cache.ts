import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { formatIntegrity, hasherOf, type Integrity, matches, parseIntegrity } from "./integrity.ts";
import type { ResolvedPackage } from "./resolve-package.ts";
import { isTemporary, writeWhole } from "./write-whole.ts";

/** Of each package this many archives are kept. */
const keptArchives = 2;
/** No download is silent for so long; a half one that is older is a dead one's. */
const deadAfterMs = 10 * 60 * 1000;

/** One version of a package as a registry has it; registries may differ. */
export interface PackageName {
  readonly registry: string;
  readonly name: string;
  readonly version: string;
}

/** Archives that were downloaded, and what the registry said of them, so that a second installation needs no network. */
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

  archive({ name, version }: PackageName, integrity: Integrity): string {
    return join(this.#directory, `${stem(name)}@${version}-${short(formatIntegrity(integrity))}.tgz`);
  }

  /** What is kept of this package, if its archive is there and whole. */
  async find(wanted: PackageName): Promise<{ archive: string; resolved: ResolvedPackage } | undefined> {
    const resolved = await readResolution(this.#note(wanted));
    if (resolved === undefined) return undefined;
    const archive = this.archive(wanted, resolved.integrity);
    return (await isWhole(archive, resolved.integrity)) ? { archive, resolved } : undefined;
  }

  /** Call it when the archive is there. */
  async remember(wanted: PackageName, { tarball, integrity }: ResolvedPackage): Promise<void> {
    const now = new Date();
    await utimes(this.archive(wanted, integrity), now, now);
    await writeWhole(this.#note(wanted), JSON.stringify({ tarball, integrity: formatIntegrity(integrity) }));
    await this.#tidy(wanted.name);
  }

  #note({ registry, name, version }: PackageName): string {
    return join(this.#directory, `${stem(name)}@${version}-${short(registry)}.json`);
  }

  async #tidy(name: string): Promise<void> {
    const files = await Promise.all((await readdir(this.#directory)).map((file) => describe(this.#directory, file)));
    const ours = files.filter(({ file }) => file.startsWith(`${stem(name)}@`)).sort((a, b) => b.usedAt - a.usedAt);
    const old = ours.filter(({ file }) => file.endsWith(".tgz")).slice(keptArchives);
    const dead = files.filter(({ file, usedAt }) => isTemporary(file) && Date.now() - usedAt > deadAfterMs);
    await Promise.all([...old, ...dead].map(({ file }) => rm(join(this.#directory, file), { force: true })));
  }
}

export async function isWhole(archive: string, integrity: Integrity): Promise<boolean> {
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
    const { tarball, ...hashes } = JSON.parse(await readFile(note, "utf8"));
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
