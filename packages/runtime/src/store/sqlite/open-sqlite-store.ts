import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { DirectoryBlobs } from "../directory-blobs.ts";
import type { RuntimeStore } from "../runtime-store.ts";
import { type Dialect, migrate } from "../sql/migrations.ts";
import { SqlRuntimeStore } from "../sql/sql-runtime-store.ts";
import { Connection, loadDriver, type OpenDriver } from "./connection.ts";
import { asFailure, runInTransaction, SqliteDatabase } from "./sqlite-database.ts";

const sqliteDialect: Dialect = {
  identity: "INTEGER PRIMARY KEY AUTOINCREMENT",
  bytes: "BLOB",
  clustered: "WITHOUT ROWID",
};

export interface SqliteStoreOptions {
  /** Beside a runtime that has the file, as a command does that only looks or makes a key. */
  readonly isGuest?: boolean;
}

/**
 * A store in a file, made if it is not there. One runtime has it at a time: a second one is refused, until the first has
 * closed it or is dead.
 */
export async function openSqliteStore(
  path: string,
  { isGuest = false }: SqliteStoreOptions = {},
): Promise<RuntimeStore> {
  const file = resolve(path);
  const open = await loadDriver();
  const opened: (() => void)[] = [];
  const closeAll = (): void => {
    for (const close of opened.splice(0).reverse()) close();
  };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!isGuest) opened.push(takeLock(open, file));
    const connection = openConnection(open, file);
    opened.push(() => connection.close());
    const storeId = runInTransaction(connection, migrate(file, sqliteDialect, randomUUID()));
    syncDirectory(dirname(file));
    const [unlock] = isGuest ? [() => {}] : opened;
    return new SqlRuntimeStore(
      new SqliteDatabase(file, connection, open.place, unlock!),
      storeId,
      new DirectoryBlobs(`${file}-blobs`),
    );
  } catch (cause) {
    closeAll();
    throw asFailure(file, cause);
  }
}

function openConnection(open: OpenDriver, file: string): Connection {
  makeFile(file);
  const connection = new Connection(open(file));
  connection.exec("PRAGMA busy_timeout = 5000");
  connection.exec("PRAGMA journal_mode = WAL");
  connection.exec("PRAGMA synchronous = NORMAL");
  return connection;
}

/**
 * An open exclusive transaction on a database of its own: the kernel holds it, and frees it when the process dies however
 * that happens. The store's own file stays readable for others.
 */
function takeLock(open: OpenDriver, file: string): () => void {
  const lockFile = `${file}-lock`;
  makeFile(lockFile);
  const lock = new Connection(open(lockFile));
  try {
    lock.exec("PRAGMA busy_timeout = 0");
    lock.exec("PRAGMA journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    if (!/locked|busy/i.test(String(cause))) throw cause;
    throw new SandboxError(
      "internal_error",
      `${file} is in use by another runtime. Stop it, or start this one with another --data-dir.`,
      { cause },
    );
  }
  return () => lock.close();
}

/** For its owner alone; SQLite gives the files beside it the same mode. A file that is there is not even opened: closing it
 * would take away the locks that this process may have on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The new files' names are durable. */
function syncDirectory(directory: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
