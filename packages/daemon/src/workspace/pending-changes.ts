import { bothChanges, type FileChangeType, type FsChange } from "@sandbox-agent-ts/protocol";
import { type FileName, keyOf, written } from "./file-name.ts";

/** A reader that is further behind has to compare manifests. */
const maxPending = 10_000;

type EntryType = "file" | "directory" | "symlink";

interface Pending {
  readonly type: FileChangeType;
  readonly path: FileName;
  readonly entryType: EntryType;
}

/** Changes that a reader has not taken yet, one for each path, however often it changes. */
export class PendingChanges {
  #changes = new Map<string, Pending>();
  #isOverflown = false;
  #wake: (() => void) | undefined;

  add(type: FileChangeType, path: FileName, entryType: EntryType): void {
    if (this.#isOverflown) return;
    const key = keyOf(path);
    const before = this.#changes.get(key);
    const both = before ? bothChanges(before.type, type) : type;
    this.#changes.delete(key);
    if (both) this.#changes.set(key, { type: both, path, entryType });
    if (this.#changes.size > maxPending) this.overflow();
    else this.#wake?.();
  }

  /** More has changed than can be told. */
  overflow(): void {
    this.#changes.clear();
    this.#isOverflown = true;
    this.#wake?.();
  }

  /** Takes them all; waits until there are some. None when the signal ends it. */
  async take(signal: AbortSignal): Promise<FsChange[]> {
    if (this.#changes.size === 0 && !this.#isOverflown) await this.#next(signal);
    if (signal.aborted) return [];
    const taken = [...this.#changes.values()].map(({ path, ...change }): FsChange => ({ ...change, ...written(path) }));
    const all: FsChange[] = this.#isOverflown ? [{ type: "overflow" }, ...taken] : taken;
    this.#changes = new Map();
    this.#isOverflown = false;
    return all;
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = done;
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }
}
