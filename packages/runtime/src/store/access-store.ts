/** What a store keeps for those who say who may do what. Part of `RuntimeStore`. */
export interface AccessStore {
  /** What the sessions of a principal take. */
  usage(owner: string): Promise<StoredUsage>;

  /**
   * Keep entries of the audit log in this order; each gets the next number. They survive the process at once and the machine
   * within a second. No entry is ever changed.
   */
  appendAudit(entries: readonly NewAuditEntry[]): Promise<void>;

  /** A page of the audit log, newest first; costs the same whatever the total. */
  audit(query: AuditStoreQuery): Promise<readonly StoredAuditEntry[]>;

  /** Forget entries that are older than this; how many. */
  pruneAudit(before: number): Promise<number>;
}

export interface StoredUsage {
  readonly sessions: number;
  /** Turns that wait or run. */
  readonly turns: number;
  /** The sessions that have a sandbox which has not ended, or for which one is being made. */
  readonly sandboxes: readonly string[];
  /** About the bytes that logs take. */
  readonly storageBytes: number;
}

export interface NewAuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly principal: string;
  readonly keyId?: string | undefined;
  readonly byToken: boolean;
  readonly action: string;
  readonly operation: string;
  readonly sessionId?: string | undefined;
  readonly status: number;
  readonly remoteAddress?: string | undefined;
}

export interface StoredAuditEntry extends NewAuditEntry {
  readonly id: number;
}

export interface AuditStoreQuery {
  readonly principal?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Only entries with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}
