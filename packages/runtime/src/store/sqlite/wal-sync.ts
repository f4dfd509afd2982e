import { close, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

/** Below a second, so that the machine forgets no more than that. */
const soonMs = 250;

/**
 * Makes commits durable without holding up the process. SQLite's own way (`synchronous = FULL`) syncs inside of each
 * commit, on the only thread there is; with `NORMAL` a commit is a write to the WAL, and a sync of that file afterwards, by
 * a thread of Node's pool, is worth the same. One sync serves all commits before it: that is the group commit.
 */
export class WalSync {
  readonly #file: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** The WAL must be there. SQLite locks other files, so that closing this one takes no lock away. */
  constructor(walFile: string) {
    this.#file = openSync(walFile, "r+");
  }

  /** Resolves when everything that was committed before the call is durable. */
  now(): Promise<void> {
    if (!this.#running) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#running = promisify(fsync)(this.#file).finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.now();
      });
    return this.#next;
  }

  /** Everything that was committed before the call becomes durable within a second. */
  soon(): void {
    // What fails here fails again, and aloud, for the next who waits.
    this.#timer ??= setTimeout(() => void this.now().catch(() => {}), soonMs).unref();
  }

  async close(): Promise<void> {
    try {
      await this.now();
    } finally {
      await promisify(close)(this.#file);
    }
  }
}
