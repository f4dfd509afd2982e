import type { Logger } from "@sandbox-agent-ts/server";
import { Recurring } from "../recurring.ts";
import type { AccessStore, NewAuditEntry } from "../store/access-store.ts";

export interface AuditOptions {
  /** Entries that are older are forgotten. Default: 90. */
  readonly retentionDays?: number | undefined;
}

const day = 24 * 60 * 60_000;
const pruneEveryMs = 60 * 60_000;
const defaultRetentionDays = 90;
/** While the store does not take them. */
const maxWaiting = 10_000;

/**
 * Who did what, kept in the store beside everything else. Entries of one moment are written together, after the answer: a
 * process that is killed loses those of its last moment.
 */
export class AuditLog {
  readonly #store: AccessStore;
  readonly #log: Logger;
  readonly #pruning: Recurring;
  #waiting: NewAuditEntry[] = [];
  #writing: Promise<void> | undefined;

  constructor(store: AccessStore, log: Logger, { retentionDays = defaultRetentionDays }: AuditOptions = {}) {
    this.#store = store;
    this.#log = log;
    const prune = async () => {
      await store.pruneAudit(Date.now() - retentionDays * day).catch((err: unknown) => {
        log.error({ err }, "old entries of the audit log could not be forgotten");
      });
    };
    this.#pruning = new Recurring(prune, pruneEveryMs);
    void prune();
  }

  record(entry: NewAuditEntry): void {
    if (this.#waiting.length >= maxWaiting) return void this.#log.error({ entry }, "an entry of the audit log is lost");
    this.#waiting.push(entry);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all that was recorded is kept. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.#pruning.stop();
    await this.settled();
  }

  async #write(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      await this.#store.appendAudit(entries).catch((err: unknown) => {
        this.#log.error({ err, entries }, "entries of the audit log are lost");
      });
    }
  }
}
