import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DirectorySnapshots } from "./directory-snapshots.ts";

/** How many directories are looked at at the same time. */
const maxAtOnce = 4;

export interface SnapshotsOptions {
  /** Where they are kept. */
  readonly root: string;
  /** Directories whose content is never looked at: the daemon's own. */
  readonly hidden: readonly string[];
  readonly home: string;
  /** Where git is looked for. */
  readonly path: string;
}

/** The snapshots of all directories that sessions work in. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #directories = new Map<string, DirectorySnapshots>();
  readonly #closing = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  of(directory: string): DirectorySnapshots {
    const known = this.#directories.get(directory);
    if (known) return known;
    const { root, ...options } = this.#options;
    const made = new DirectorySnapshots({
      ...options,
      directory,
      folder: join(root, createHash("sha256").update(directory).digest("hex").slice(0, 32)),
      closing: this.#closing.signal,
      admit: (work) => this.#admit(work),
    });
    this.#directories.set(directory, made);
    return made;
  }

  /** Remove what a daemon left that was killed while it deleted sessions. */
  async keepOnly(owners: ReadonlySet<string>): Promise<void> {
    const { root } = this.#options;
    for (const name of await readdir(root).catch(() => [])) {
      const files = await readdir(join(root, name, "sessions")).catch(() => []);
      const kept = files.filter((file) => owners.has(file.replace(/\.jsonl$/, "")));
      for (const file of files) if (!kept.includes(file)) await rm(join(root, name, "sessions", file), { force: true });
      if (kept.length === 0) await rm(join(root, name), { recursive: true, force: true });
    }
  }

  /** End every git that runs. */
  close(): void {
    this.#closing.abort(new Error("The daemon stops."));
  }

  async #admit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= maxAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }
}
