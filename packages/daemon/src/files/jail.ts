import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { errnoOf, shown } from "./fs-problem.ts";

/** What Linux accepts in one call; longer paths are refused before they cost anything. */
const maxPathBytes = 4096;
const maxShownRoots = 3;

/** What a symlink at the end of a path means: the thing it points to, or the link itself. */
export type LastSymlink = "follow" | "itself";

/** Where a path really leads: `existing` has no symlink in it, `rest` are the names below it that were not resolved. */
export interface Place {
  readonly path: string;
  readonly existing: string;
  readonly rest: readonly string[];
}

/**
 * Finds where `path` leads and refuses it when that is outside of `roots`.
 *
 * An answer is only as old as this call: whoever acts on it does so through a `HeldDirectory`, which checks again.
 */
export async function locate(
  roots: readonly string[],
  base: string,
  path: string,
  last: LastSymlink = "follow",
): Promise<Place> {
  if (path.includes("\0")) throw outside(roots, path);
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new SandboxError("invalid_request", `The path is longer than ${maxPathBytes} bytes. Use a shorter one.`);
  }
  const asked = resolve(base, path);
  const rest = last === "follow" || roots.includes(asked) ? [] : [basename(asked)];
  const { place, obstacle } = await follow(rest.length === 0 ? asked : dirname(asked), rest);
  if (!isInsideAny(roots, place.path)) throw outside(roots, path);
  if (obstacle === "dangling") throw dangling(path);
  if (obstacle !== undefined) throw obstacle;
  return place;
}

/**
 * Resolves as much as exists, from the end upwards. What stood in the way is handed back and not thrown, so that a path
 * outside is answered in one way only, whatever is or is not there.
 */
async function follow(asked: string, rest: string[]): Promise<{ place: Place; obstacle: unknown }> {
  let obstacle: unknown;
  for (let at = asked; ; at = dirname(at)) {
    try {
      const existing = await realpath(at);
      return { place: { path: join(existing, ...rest), existing, rest }, obstacle };
    } catch (error) {
      if (at === "/") throw error;
      if (errnoOf(error) !== "ENOENT") obstacle = error;
      else if (await isSymlink(at)) obstacle = "dangling";
      rest.unshift(basename(at));
    }
  }
}

async function isSymlink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

export function isInsideAny(roots: readonly string[], path: string): boolean {
  return roots.some((root) => isInside(root, path));
}

/** Keeps roots where they are: refuses what would take away `path` when it is a root or holds one. */
export function refuseRoot(path: string, roots: readonly string[]): void {
  const root = roots.find((candidate) => isInside(path, candidate));
  if (root === undefined) return;
  const sentence = `${shown(root)} is an allowed directory itself and stays. Name something inside of it.`;
  throw new SandboxError("permission_denied", sentence);
}

export function outside(roots: readonly string[], path: string): SandboxError {
  const allowed = roots.slice(0, maxShownRoots).map(shown).join(", ");
  const more = roots.length > maxShownRoots ? " or another allowed directory" : "";
  const way = roots.length === 0 ? "No directory is allowed." : `Use a path inside ${allowed}${more}.`;
  return new SandboxError("permission_denied", `${shown(path)} leads outside of the allowed directories. ${way}`);
}

function dangling(path: string): SandboxError {
  const sentence = `${shown(path)} runs through a symlink that leads nowhere. Delete the link, or name its target.`;
  return new SandboxError("permission_denied", sentence);
}
