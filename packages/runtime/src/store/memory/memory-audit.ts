import type { AuditStoreQuery, NewAuditEntry, StoredAuditEntry } from "../access-store.ts";

/** The audit log in memory. */
export class MemoryAudit {
  #entries: StoredAuditEntry[] = [];
  #last = 0;

  append(entries: readonly NewAuditEntry[]): void {
    for (const entry of entries) {
      this.#last += 1;
      this.#entries.push({ ...entry, id: this.#last });
    }
  }

  page({ principal, sessionId, before = Number.POSITIVE_INFINITY, limit }: AuditStoreQuery): StoredAuditEntry[] {
    return this.#entries
      .filter(
        (entry) =>
          entry.id < before &&
          (principal === undefined || entry.principal === principal) &&
          (sessionId === undefined || entry.sessionId === sessionId),
      )
      .reverse()
      .slice(0, limit);
  }

  prune(before: number): number {
    const all = this.#entries.length;
    this.#entries = this.#entries.filter(({ at }) => at >= before);
    return all - this.#entries.length;
  }
}
