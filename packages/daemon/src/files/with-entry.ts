import { basename, dirname } from "node:path";
import { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { fsProblem, shown } from "./fs-problem.ts";
import { isInsideAny, type LastSymlink, locate, outside, type Place } from "./jail.ts";

/** A name in a directory that cannot be swapped away. Use `directory.at(name)`, and never follow a symlink there. */
export interface Entry {
  readonly directory: HeldDirectory;
  readonly name: string;
  /** For people and answers; not for filesystem calls. */
  readonly path: string;
  readonly roots: readonly string[];
}

export interface EntryOptions {
  readonly symlink: LastSymlink;
  /** Whether missing directories on the way are made, or the answer is `not_found`. */
  readonly parents: "make" | "expect";
  /** Refuses a real path by throwing, before anything is made or held. */
  readonly admit?: (path: string, roots: readonly string[]) => void;
}

/** The one door through which every operation reaches the disk: jailed, held while `work` runs, errors translated. */
export async function withEntry<T>(
  access: FileAccess,
  target: FileTarget,
  options: EntryOptions,
  work: (entry: Entry) => Promise<T>,
): Promise<T> {
  const base = access.base(target.sessionId);
  const roots = access.roots();
  try {
    const place = await locate(roots, base, target.path, options.symlink);
    options.admit?.(place.path, roots);
    const expected = options.symlink === "itself" ? 1 : 0;
    if (options.parents === "expect" && place.rest.length > expected) throw nothingAt(target.path);
    const { directory, name } = await hold(roots, place, target.path);
    try {
      return await work({ directory, name, path: place.path, roots });
    } finally {
      await directory.close();
    }
  } catch (error) {
    throw fsProblem(error, target.path);
  }
}

/** Opens the directory that holds the place; a root is held itself, because what is above it is none of our business. */
async function hold(roots: readonly string[], place: Place, asked: string) {
  const inItself = place.rest.length > 0 || roots.includes(place.path);
  const start = inItself ? place.existing : dirname(place.existing);
  const names = inItself ? [...place.rest] : [basename(place.existing)];
  const name = names.pop() ?? ".";
  let directory = await HeldDirectory.open(start, (real) => isInsideAny(roots, real));
  if (!directory) throw outside(roots, asked);
  for (const step of names) directory = await stepInto(directory, step);
  return { directory, name };
}

async function stepInto(directory: HeldDirectory, name: string): Promise<HeldDirectory> {
  try {
    return await directory.makeChild(name);
  } finally {
    await directory.close();
  }
}

function nothingAt(path: string): SandboxError {
  return new SandboxError("not_found", `There is nothing at ${shown(path)}. Check the path, or list its directory.`);
}
