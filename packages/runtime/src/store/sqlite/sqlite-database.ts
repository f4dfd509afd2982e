import { SandboxError } from "@sandbox-agent-ts/protocol";
import { LeaseLost } from "../runtime-store.ts";
import type { Durability, SqlDatabase, Steps } from "../sql/steps.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Connection, DriverPlace } from "./connection.ts";
import { WalSync } from "./wal-sync.ts";

/** A piece of work that waits for the next transaction. */
interface Waiting {
  /** Answers what tells its caller how it went, once the transaction is over. */
  readonly run: (connection: Connection) => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs work on SQLite: each piece without a pause, so that no two are ever mixed. What is to be written in one go of the event
 * loop goes into one transaction, whoever wants it written; a piece that fails takes back only what it did itself. Whoever
 * reads finds what was written before.
 */
export class SqliteDatabase implements SqlDatabase {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #sync: WalSync;
  readonly #checkpoints: Checkpoints;
  readonly #onClose: () => void;
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(file: string, connection: Connection, driver: DriverPlace, onClose: () => void) {
    this.#file = file;
    this.#connection = connection;
    this.#sync = new WalSync(`${file}-wal`);
    this.#checkpoints = new Checkpoints(file, driver, connection);
    this.#onClose = onClose;
  }

  async read<T>(steps: Steps<T>): Promise<T> {
    this.#commit();
    return this.#tell(() => run(this.#connection, steps));
  }

  async write<T>(steps: Steps<T>, durability: Durability): Promise<T> {
    const result = await this.#inNextTransaction(steps);
    if (durability === "durable") await this.#sync.now();
    else this.#sync.soon();
    return result;
  }

  #inNextTransaction<T>(steps: Steps<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tell(() => {
        if (this.#waiting.length === 0) setImmediate(() => this.#commit());
      });
      const fail = (error: unknown) => reject(asFailure(this.#file, error));
      this.#waiting.push({
        fail,
        run: (connection) => {
          const result = run(connection, steps);
          return () => resolve(result);
        },
      });
    });
  }

  #commit(): void {
    const pieces = this.#waiting;
    if (pieces.length === 0) return;
    this.#waiting = [];
    const before = this.#connection.boundBytes;
    try {
      for (const tell of runTogether(this.#connection, pieces)) tell();
    } catch (error) {
      for (const { fail } of pieces) fail(error);
    }
    this.#checkpoints.committed(this.#connection.boundBytes - before);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#commit();
    this.#isClosed = true;
    try {
      await this.#checkpoints.close();
      await this.#sync.close();
    } finally {
      this.#connection.close();
      this.#onClose();
    }
  }

  #tell<T>(work: () => T): T {
    if (this.#isClosed) throw new SandboxError("internal_error", `${this.#file} is closed.`);
    try {
      return work();
    } catch (cause) {
      throw asFailure(this.#file, cause);
    }
  }
}

export function runInTransaction<T>(connection: Connection, steps: Steps<T>): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = run(connection, steps);
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Answers what is to be told to the callers, in order. Throws where nothing of all of it was kept. */
function runTogether(connection: Connection, pieces: readonly Waiting[]): (() => void)[] {
  connection.all("BEGIN IMMEDIATE");
  try {
    const told = pieces.map((piece) => (pieces.length === 1 ? piece.run(connection) : runApart(connection, piece)));
    connection.all("COMMIT");
    return told;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function runApart(connection: Connection, { run: work, fail }: Waiting): () => void {
  connection.all("SAVEPOINT piece");
  try {
    const told = work(connection);
    connection.all("RELEASE piece");
    return told;
  } catch (error) {
    if (!undo(connection)) throw error;
    return () => fail(error);
  }
}

/** Take back what a piece did; false where SQLite has given up the whole transaction. */
function undo(connection: Connection): boolean {
  try {
    connection.all("ROLLBACK TO piece");
    connection.all("RELEASE piece");
    return true;
  } catch {
    return false;
  }
}

/** After some failures (a full disk) SQLite has done it by itself. */
function rollBack(connection: Connection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // There was nothing to undo.
  }
}

function run<T>(connection: Connection, steps: Steps<T>): T {
  let step = steps.next([]);
  while (!step.done) step = steps.next(connection.all(step.value.sql, step.value.values));
  return step.value;
}

const advice: Readonly<Record<string, string>> = {
  SQLITE_FULL: "The disk is full: free some space and try again.",
  SQLITE_READONLY: "It may not be written: change its permissions or choose another place.",
  SQLITE_CANTOPEN: "It cannot be opened: change its permissions or choose another place.",
  SQLITE_NOTADB: "It is not a database: move it away or choose another place.",
  SQLITE_CORRUPT: "It is damaged: restore it from a backup or choose another place.",
  SQLITE_BUSY: "Another program is writing it: try again.",
};

const codes: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** What SQLite refused, as an error that says what to do. */
export function asFailure(file: string, cause: unknown): Error {
  if (cause instanceof SandboxError || cause instanceof LeaseLost) return cause;
  const { message, code, errcode } = cause as { message: string; code?: string; errcode?: number };
  // The two drivers say it differently, and either may say it in more detail (SQLITE_IOERR_WRITE).
  const name = errcode === undefined ? code?.split("_", 2).join("_") : codes[errcode & 0xff];
  const sentence = `Cannot keep data in ${file} (${message}). ${advice[name ?? ""] ?? ""}`.trim();
  return new SandboxError("internal_error", sentence, { cause });
}
