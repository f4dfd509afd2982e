import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheDirectory } from "./cache-directory.ts";
import { bytesOf, freedBy, listFiles } from "./disk-usage.ts";
import { programUsers } from "./program-users.ts";
import { isBesideHalf, isSilent, isTemporary } from "./write-whole.ts";

/** Something in the cache that is kept or removed as a whole. */
export interface CacheEntry {
  readonly kind: "package" | "archive" | "partial" | "program" | "node";
  /** `name@version`; of a program `name`. */
  readonly name: string;
  readonly bytes: number;
  /** What its removal would free: nothing where an installed program has the same files. */
  readonly freedBytes: number;
  /** A process runs it, or writes it just now. */
  readonly isInUse: boolean;
  readonly paths: readonly string[];
}

/**
 * What the cache of this environment has: packages, the programs of daemons that keep nothing else, and what executables of
 * ours were built with.
 */
export async function listCache(env: Readonly<Record<string, string | undefined>>): Promise<CacheEntry[]> {
  const directory = cacheDirectory(env);
  const packages = join(directory, "packages");
  const folders = (["program", "node"] as const).map((kind) => [kind, join(directory, folderNames[kind])] as const);
  const names = await readdir(packages).catch(() => []);
  const lists = names.filter((name) => name.endsWith(".json"));
  const notesOf = (stem: string) => lists.filter((list) => list.startsWith(`${stem.replace(/-[0-9a-f]{16}$/, "")}-`));
  const kept = names.filter((name) => !name.endsWith(".json") && !isBesideHalf(name));
  const besideHalf = (half: string) => names.filter((name) => isBesideHalf(name) && name.startsWith(half));
  const entries = await Promise.all([
    ...kept.map(async (name) => {
      const stem = name.replace(/\.tgz.*$/, "").replace(/\.partial-.*$/, "");
      const kind = isTemporary(name) ? "partial" : name.endsWith(".tgz") ? "archive" : "package";
      const paths = [name, ...(kind === "partial" ? besideHalf(name) : notesOf(stem))].map((each) =>
        join(packages, each),
      );
      return describe(kind, stem.replace(/-[0-9a-f]{16}$/, "").replace("+", "/"), paths);
    }),
    ...folders.map(async ([kind, folder]) => {
      const found = await readdir(folder).catch(() => []);
      return Promise.all(found.map((name) => describe(kind, name, [join(folder, name)])));
    }),
  ]);
  return entries.flat().sort((a, b) => b.bytes - a.bytes);
}

const folderNames = { program: "programs", node: "node" };

async function describe(kind: CacheEntry["kind"], name: string, paths: readonly string[]): Promise<CacheEntry> {
  const files = (await Promise.all(paths.map(listFiles))).flat();
  const isInUse =
    kind === "program" ? (await programUsers(paths[0]!)).length > 0 : kind === "partial" && (await isFresh(paths[0]!));
  return { kind, name, bytes: bytesOf(files), freedBytes: freedBy(files), isInUse, paths };
}

async function isFresh(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !isSilent(found.mtimeMs);
}

/** What `cache prune` removes: what no installed program shares, or with `all` everything; never what is in use. */
export function prunable(entries: readonly CacheEntry[], { all }: { readonly all: boolean }): CacheEntry[] {
  return entries.filter((entry) => {
    if (entry.isInUse) return false;
    if (all || ["partial", "archive", "node"].includes(entry.kind)) return true;
    // The notes about a package are never shared.
    return entry.kind === "package" && entry.freedBytes > entry.bytes / 2;
  });
}

/** Removes them; programs that are installed and sessions that run keep their files. Returns what became free. */
export async function removeCacheEntries(entries: readonly CacheEntry[]): Promise<number> {
  const paths = [...new Set(entries.flatMap((entry) => entry.paths))];
  const freed = freedBy((await Promise.all(paths.map(listFiles))).flat());
  for (const path of paths) await rm(path, { recursive: true, force: true });
  return freed;
}
