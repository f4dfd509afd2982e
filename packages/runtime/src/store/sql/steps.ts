/** What a statement is given and gives back. Text is any text: drivers store what their database refuses by `storedText`. */
export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** One statement, with `?` where its values go. */
interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** Its rows are about to change: nobody else may change them until the transaction ends. */
  readonly locks: boolean;
}

/**
 * A piece of work as statements, one after the other. Written once for all databases: one whose driver answers at once runs
 * it without a pause, one that is asked over a network waits between them.
 */
export type Steps<T> = Generator<Query, T, readonly SqlRow[]>;

export function* query<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Steps<readonly Row[]> {
  return (yield { sql, values, locks: false }) as readonly Row[];
}

export function* queryLocked<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Steps<readonly Row[]> {
  return (yield { sql, values, locks: true }) as readonly Row[];
}

/** Runs work on a database. */
export interface SqlDatabase {
  /** Run work that changes nothing. */
  read<T>(steps: Steps<T>): Promise<T>;
  /**
   * Run work in a transaction, in order of the calls; what it throws undoes it. Resolves when the change survives the
   * death of the process, and when it is `durable`, the death of the machine.
   */
  write<T>(steps: Steps<T>, durability: Durability): Promise<T>;
  /** Make everything durable and let go of it. */
  close(): Promise<void>;
}

/** `soon`: the machine may forget what is less than a second old. */
export type Durability = "durable" | "soon";
