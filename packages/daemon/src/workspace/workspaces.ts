import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "../files/file-access.ts";
import { fsProblem, shown } from "../files/fs-problem.ts";
import { locate } from "../files/jail.ts";
import { KnownDirectory } from "./known-tree.ts";
import { OpenDirectory } from "./open-directory.ts";
import type { ScanOptions } from "./scan-options.ts";
import { type ScannedTree, TreeScan } from "./scan-tree.ts";

/** What is known of a tree costs memory: so many are known at a time. */
const maxKnownTrees = 4;

interface KnownTree {
  readonly root: KnownDirectory;
  last: ScannedTree | undefined;
  /** One look at a time. */
  queue: Promise<unknown>;
}

/** Directories as wholes: what is in them, with hashes of what has not changed since the last look remembered. */
export class Workspaces {
  readonly #known = new Map<string, KnownTree>();

  async scan(access: FileAccess, target: FileTarget, options: ScanOptions): Promise<ScannedTree> {
    const path = await realDirectory(access, target);
    const known = this.#tree(`${JSON.stringify(options)} ${path}`);
    const scanning = known.queue.then(async () => {
      const root = openDirectory(path, target);
      try {
        known.last = await new TreeScan(options).run(root, known.root, known.last);
        return known.last;
      } catch (error) {
        throw fsProblem(error, target.path);
      } finally {
        root.close();
      }
    });
    known.queue = scanning.catch(() => {});
    return scanning;
  }

  #tree(key: string): KnownTree {
    const known = this.#known.get(key) ?? { root: new KnownDirectory(), last: undefined, queue: Promise.resolve() };
    // The one that was asked for last is at the end.
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > maxKnownTrees) this.#known.delete(this.#known.keys().next().value!);
    return known;
  }
}

/** The real path of a directory that may be looked at. */
export async function realDirectory(access: FileAccess, target: FileTarget): Promise<string> {
  const base = access.base(target.sessionId);
  const { path, rest } = await locate(access.roots(), base, target.path).catch((error: unknown) => {
    throw fsProblem(error, target.path);
  });
  if (rest.length === 0) return path;
  throw new SandboxError(
    "not_found",
    `There is nothing at ${shown(target.path)}. Check the path, or list its directory.`,
  );
}

/** Held from now on: whoever swaps it for a link meanwhile moves nothing. */
export function openDirectory(path: string, target: FileTarget): OpenDirectory {
  try {
    const root = OpenDirectory.at(path);
    if (root) return root;
  } catch (error) {
    throw fsProblem(error, target.path);
  }
  throw new SandboxError("invalid_request", `${shown(target.path)} changed right now. Try again.`);
}
