import type { AuditStoreQuery, NewAuditEntry, StoredAuditEntry } from "../access-store.ts";
import { query, type SqlValue, type Steps } from "./steps.ts";

const columns = "at, principal, key_id, by_token, action, operation, session_id, status, remote_address";
const pruneRows = 1_000;

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly principal: string;
  readonly key_id: string | null;
  readonly by_token: number;
  readonly action: string;
  readonly operation: string;
  readonly session_id: string | null;
  readonly status: number;
  readonly remote_address: string | null;
}

export function* appendAudit(entries: readonly NewAuditEntry[]): Steps<void> {
  for (const entry of entries) {
    yield* query(
      `INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entry.at,
      entry.principal,
      entry.keyId ?? null,
      entry.byToken ? 1 : 0,
      entry.action,
      entry.operation,
      entry.sessionId ?? null,
      entry.status,
      entry.remoteAddress ?? null,
    );
  }
}

export function* listAudit(wanted: AuditStoreQuery): Steps<readonly StoredAuditEntry[]> {
  const { principal, sessionId, before, limit } = wanted;
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const narrow = (condition: string, value: SqlValue): void => {
    conditions.push(condition);
    values.push(value);
  };
  if (principal !== undefined) narrow("principal = ?", principal);
  if (sessionId !== undefined) narrow("session_id = ?", sessionId);
  if (before !== undefined) narrow("id < ?", before);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = yield* query<AuditRow>(
    `SELECT id, ${columns} FROM audit ${where} ORDER BY id DESC LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map(stored);
}

/** A piece of the oldest ones; how many. */
export function* pruneAudit(before: number): Steps<number> {
  const gone = yield* query(
    `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY id LIMIT ${pruneRows}) RETURNING id`,
    before,
  );
  return gone.length;
}

function stored(row: AuditRow): StoredAuditEntry {
  return {
    id: row.id,
    at: row.at,
    principal: row.principal,
    ...(row.key_id === null ? {} : { keyId: row.key_id }),
    byToken: row.by_token === 1,
    action: row.action,
    operation: row.operation,
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    status: row.status,
    ...(row.remote_address === null ? {} : { remoteAddress: row.remote_address }),
  };
}
