import { type FileName, keyOf } from "./file-name.ts";
import type { OpenDirectory } from "./open-directory.ts";

/** Each level holds a descriptor. */
const maxDepth = 128;

/**
 * Goes from one directory to the next below a root with as few steps as it takes: those of a sorted list of paths share
 * nearly all of the way. No symlink is ever followed.
 */
export class DirectoryChain {
  readonly #root: OpenDirectory;
  readonly #steps: { readonly key: string; readonly directory: OpenDirectory }[] = [];

  constructor(root: OpenDirectory) {
    this.#root = root;
  }

  /** Throws as the system does where there is none, or something else is in the way. Good until the next call. */
  enter(names: readonly FileName[], missing: "make" | "refuse"): OpenDirectory {
    if (names.length > maxDepth) throw new Error(`More than ${maxDepth} directories in each other.`);
    let shared = 0;
    while (shared < names.length && this.#steps[shared]?.key === keyOf(names[shared]!)) shared += 1;
    this.#leave(shared);
    let directory = this.#steps.at(-1)?.directory ?? this.#root;
    for (const name of names.slice(shared)) {
      directory = missing === "make" ? directory.makeChild(name) : directory.child(name);
      this.#steps.push({ key: keyOf(name), directory });
    }
    return directory;
  }

  close(): void {
    this.#leave(0);
    this.#root.close();
  }

  #leave(depth: number): void {
    while (this.#steps.length > depth) this.#steps.pop()!.directory.close();
  }
}
