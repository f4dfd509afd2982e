export interface LedgerEntry {
  readonly id: string;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Times in which it was billed, the last without an end while it is. A suspended machine is not billed. */
  readonly billed: readonly { readonly from: number; readonly to?: number | undefined }[];
  readonly endedAt?: number | undefined;
  /** Who ended it: somebody's request, its deadline, or a fault. */
  readonly endedBy?: LedgerEnd | undefined;
}

export type LedgerEnd = "request" | "deadline" | "fault" | "service";

/** The books of a fake service: what was made, how long it was billed, and how it ended. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  /** All that were ever made, in their order. */
  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()];
  }

  /** Those that are there still. */
  get alive(): readonly LedgerEntry[] {
    return this.entries.filter(({ endedAt }) => endedAt === undefined);
  }

  /** Those that cost money at the moment. */
  get running(): readonly LedgerEntry[] {
    return this.entries.filter(({ billed }) => isOpen(billed));
  }

  created(id: string, labels: Readonly<Record<string, string>> = {}): void {
    if (this.#entries.has(id)) throw new Error(`${id} was made twice.`);
    this.#entries.set(id, { id, labels, createdAt: Date.now(), billed: [{ from: Date.now() }] });
  }

  suspended(id: string): void {
    const { billed } = this.#of(id);
    if (isOpen(billed)) billed.at(-1)!.to = Date.now();
  }

  resumed(id: string): void {
    const { billed, endedAt } = this.#of(id);
    if (endedAt === undefined && !isOpen(billed)) billed.push({ from: Date.now() });
  }

  ended(id: string, by: LedgerEnd): void {
    const entry = this.#of(id);
    this.suspended(id);
    entry.endedAt ??= Date.now();
    entry.endedBy ??= by;
  }

  #of(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new Error(`${id} was never made.`);
    return entry;
  }
}

interface Entry extends LedgerEntry {
  readonly billed: { from: number; to?: number }[];
  endedAt?: number;
  endedBy?: LedgerEnd;
}

const isOpen = (billed: LedgerEntry["billed"]) => billed.length > 0 && billed.at(-1)!.to === undefined;
