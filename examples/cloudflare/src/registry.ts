import { DurableObject } from "cloudflare:workers";
import type { BoxPage, BoxQuery, BoxSummary } from "./boxes.ts";

/** How long an ended box is remembered: so long its id is refused, and who asks is told why it ended. */
const rememberedMs = 24 * 60 * 60_000;

export interface RegisteredBox extends BoxSummary {
  /** Set once it is gone. */
  readonly endedWhy: string | undefined;
  /** Somebody wants it gone. */
  readonly isEnding: boolean;
}

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  labels: string;
  created_at: number;
  ending: number;
  ended_at: number | null;
  why: string | null;
}

/** The list of boxes, which containers have not: one object for all. A box is in it before it starts and after it ended. */
export class Registry extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS boxes (
      id TEXT PRIMARY KEY NOT NULL, labels TEXT NOT NULL, created_at INTEGER NOT NULL,
      ending INTEGER NOT NULL DEFAULT 0, ended_at INTEGER, why TEXT)`);
  }

  /** Answers what is known of it now. */
  add(id: string, labels: BoxSummary["labels"]): RegisteredBox {
    const now = Date.now();
    this.#sql.exec("DELETE FROM boxes WHERE ended_at < ?", now - rememberedMs);
    this.#sql.exec(
      "INSERT OR IGNORE INTO boxes (id, labels, created_at) VALUES (?, ?, ?)",
      ...[id, JSON.stringify(labels), now],
    );
    return this.find(id)!;
  }

  find(id: string): RegisteredBox | undefined {
    const [row] = this.#sql.exec<Row>("SELECT * FROM boxes WHERE id = ?", id);
    return row && { ...summaryOf(row), endedWhy: row.why ?? undefined, isEnding: row.ending === 1 };
  }

  list({ label, after, limit }: BoxQuery): BoxPage {
    const alive = "SELECT * FROM boxes WHERE ended_at IS NULL AND id > ?";
    const rows = label
      ? this.#sql.exec<Row>(
          `${alive} AND EXISTS (SELECT 1 FROM json_each(labels) WHERE key = ? AND value = ?) ORDER BY id LIMIT ?`,
          ...[after, label.key, label.value, limit],
        )
      : this.#sql.exec<Row>(`${alive} ORDER BY id LIMIT ?`, after, limit);
    const boxes = rows.toArray().map(summaryOf);
    return { boxes, ...(boxes.length < limit ? {} : { next: boxes.at(-1)!.id }) };
  }

  /** From now on it is not made any more, also where it never was; it is listed until `end`. */
  block(id: string): void {
    const now = Date.now();
    this.#sql.exec(
      "INSERT INTO boxes (id, labels, created_at, ending) VALUES (?, '{}', ?, 1) ON CONFLICT (id) DO UPDATE SET ending = 1",
      ...[id, now],
    );
  }

  /** It could not be started: whoever wants it may try again, unless somebody wants it gone. */
  giveUp(id: string, why: string): void {
    this.#sql.exec("DELETE FROM boxes WHERE id = ? AND ending = 0 AND ended_at IS NULL", id);
    this.end(id, why);
  }

  /** The first reason stays. */
  end(id: string, why: string): void {
    this.#sql.exec("UPDATE boxes SET ended_at = ?, why = ? WHERE id = ? AND ended_at IS NULL", Date.now(), why, id);
  }
}

const summaryOf = ({ id, labels, created_at: createdAt }: Row): BoxSummary => ({
  id,
  labels: JSON.parse(labels) as BoxSummary["labels"],
  createdAt,
});
