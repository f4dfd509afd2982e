import { createRequire as requireFrom } from "node:module";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SqlRow, SqlValue } from "../sql/steps.ts";
import { originalText, storedText } from "../sql/stored-text.ts";

/** What Node's own SQLite and libsql have in common. */
interface SqliteDriver {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

interface SqliteStatement {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): unknown;
}

/** Where another thread finds the same driver: in Node, or in this file. */
export interface DriverPlace {
  readonly libsql?: string;
}

export interface OpenDriver {
  (file: string): SqliteDriver;
  readonly place: DriverPlace;
}

/** SQLite as this version of Node has it, or else as `libsql` brings it. */
export async function loadDriver(): Promise<OpenDriver> {
  return nodeDriver() ?? (await libsqlDriver());
}

/** Undefined where Node has none, or only behind a flag. */
function nodeDriver(): OpenDriver | undefined {
  const sqlite = process.getBuiltinModule("node:sqlite") as
    | { DatabaseSync: new (file: string) => SqliteDriver }
    | undefined;
  return sqlite && Object.assign((file: string) => new sqlite.DatabaseSync(file), { place: {} });
}

async function libsqlDriver(): Promise<OpenDriver> {
  try {
    const { default: Database } = (await import("libsql")) as { default: new (file: string) => SqliteDriver };
    const libsql = requireFrom(import.meta.url ?? __filename).resolve("libsql");
    return Object.assign((file: string) => new Database(file), { place: { libsql } });
  } catch (cause) {
    throw new SandboxError(
      "internal_error",
      `This version of Node (${process.version}) has no SQLite, and the package "libsql" cannot be loaded. ` +
        "Use Node 22.13 or later, or install it: npm install libsql",
      { cause },
    );
  }
}

/** To ask libsql for rows of a statement that has none costs as much as many a statement. */
const withoutAnswer = /^\s*(?:INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK)\b(?!.*\bRETURNING\b)/is;

/** One connection. Statements are prepared once; text may be any text. */
export class Connection {
  readonly #driver: SqliteDriver;
  readonly #statements = new Map<string, { readonly statement: SqliteStatement; readonly answers: boolean }>();
  /** Of texts and bytes that statements were given. */
  boundBytes = 0;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  exec(sql: string): void {
    this.#driver.exec(sql);
  }

  all(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    const { statement, answers } = this.#prepared(sql);
    const bound = values.map((value) => this.#bound(value));
    if (!answers) {
      statement.run(...bound);
      return [];
    }
    const rows = statement.all(...bound);
    for (const row of rows as Record<string, unknown>[]) {
      for (const name in row) {
        const value = row[name];
        if (typeof value === "string") row[name] = originalText(value);
        else if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
      }
    }
    return rows as readonly SqlRow[];
  }

  #prepared(sql: string) {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = { statement: this.#driver.prepare(sql), answers: !withoutAnswer.test(sql) };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #bound(value: SqlValue): SqlValue {
    if (typeof value !== "string" && !(value instanceof Uint8Array)) return value;
    this.boundBytes += value.length;
    return typeof value === "string" ? storedText(value) : value;
  }

  close(): void {
    this.#statements.clear();
    this.#driver.close();
  }
}
