import { bothChanges, type ChangedFile, type FileChangeType } from "@sandbox-agent-ts/protocol";
import { pathBytesOf, pathKey } from "../store/entry-path.ts";

export interface FileChange {
  readonly type: FileChangeType;
  readonly file: ChangedFile;
}

/** Changes that were not told yet, one for each path; of too many only that there were some. */
export class PendingFileChanges {
  readonly #max: number;
  #changes = new Map<string, FileChange>();
  #isResync = false;

  constructor(max: number) {
    this.#max = max;
  }

  add({ type, file }: FileChange): void {
    const key = pathKey(pathBytesOf(file));
    const before = this.#changes.get(key);
    const both = before ? bothChanges(before.type, type) : type;
    this.#changes.delete(key);
    if (both) this.#changes.set(key, { type: both, file });
    if (this.#changes.size > this.#max) this.resync();
  }

  /** Who reads the files again needs to hear nothing of what was before that. */
  resync(): void {
    this.#changes.clear();
    this.#isResync = true;
  }

  /** Takes them all: first whether the files are to be read again, then what has changed since. */
  take(): { readonly isResync: boolean; readonly changes: readonly FileChange[] } {
    const taken = { isResync: this.#isResync, changes: [...this.#changes.values()] };
    this.#changes = new Map();
    this.#isResync = false;
    return taken;
  }
}
