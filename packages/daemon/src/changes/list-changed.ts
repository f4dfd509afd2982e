import { access, constants, lstat } from "node:fs/promises";
import { join } from "node:path";
import { GitFailure } from "./run-git.ts";

const maxFiles = 50_000;
const maxFileBytes = 10 * 1024 * 1024;
const maxTotalBytes = 256 * 1024 * 1024;
const maxNestedRepositories = 20;
const statsAtOnce = 100;
const maxNamed = 5;

/** What has to be done to the index so that it says what the files are. */
export interface IndexUpdate {
  /** Paths whose content or absence is to be taken over. */
  readonly update: readonly string[];
  /** Paths that are to go although something of another kind is there. */
  readonly remove: readonly string[];
  readonly notes: readonly string[];
}

/** Names `git ls-files -z` answers for a directory below `top` (ends with a slash), relative to `top`. */
export type ListFiles = (nested: string | undefined) => Promise<string[]>;

/**
 * The files that differ from the index, without those that would cost too much. A repository within is listed by git as
 * one directory; its files are listed by themselves, so that they count like all others.
 */
export async function listChanged(top: string, list: ListFiles): Promise<IndexUpdate> {
  const found = new Set<string>();
  const nested: (string | undefined)[] = [undefined];
  for (const [index, place] of nested.entries()) {
    if (index > maxNestedRepositories) break;
    for (const path of await list(place)) {
      if (path.endsWith("/")) nested.push(path);
      else found.add(path);
    }
    if (found.size > maxFiles) throw tooMany(`More than ${maxFiles} files are new or changed`);
  }
  const skipped = nested.slice(maxNestedRepositories + 1).map((path) => path!.slice(0, -1));
  return sift(top, [...found], skipped);
}

async function sift(top: string, paths: readonly string[], skipped: readonly string[]): Promise<IndexUpdate> {
  const kinds: Kind[] = [];
  for (let at = 0; at < paths.length; at += statsAtOnce) {
    const some = paths.slice(at, at + statsAtOnce);
    kinds.push(...(await Promise.all(some.map((path) => kindOf(join(top, path))))));
  }
  const of = (wanted: Kind["kind"]): string[] => paths.filter((_, index) => kinds[index]!.kind === wanted);
  const total = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxTotalBytes) throw tooMany(`New and changed files have more than ${maxTotalBytes / 1024 ** 2} MiB`);
  return {
    update: of("file"),
    remove: of("other"),
    notes: [
      ...leftOut(of("large"), `they are larger than ${maxFileBytes / 1024 ** 2} MiB`),
      ...leftOut(of("unreadable"), "the daemon may not read them or their names"),
      ...leftOut(skipped, "there are too many repositories within"),
    ],
  };
}

interface Kind {
  readonly kind: "file" | "other" | "large" | "unreadable";
  readonly bytes: number;
}

/** A path that is gone counts as a file: git takes over that it is gone. */
async function kindOf(path: string): Promise<Kind> {
  // What was no UTF-8 cannot be found again by its name.
  if (path.includes("\ufffd")) return { kind: "unreadable", bytes: 0 };
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return { kind: "file", bytes: 0 };
  if (found.isDirectory()) return { kind: (await isThere(join(path, ".git"))) ? "file" : "other", bytes: 0 };
  if (!found.isFile()) return { kind: "other", bytes: 0 };
  if (found.size > maxFileBytes) return { kind: "large", bytes: 0 };
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isReadable ? { kind: "file", bytes: found.size } : { kind: "unreadable", bytes: 0 };
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function leftOut(paths: readonly string[], why: string): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
  return [`Left out, because ${why}: ${paths.slice(0, maxNamed).join(", ")}${more}.`];
}

function tooMany(what: string): GitFailure {
  return new GitFailure("failed", `${what}, which is too much to compare. Ignore what is no source in a .gitignore.`);
}
