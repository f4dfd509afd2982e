import type { StoredKey } from "../runtime-store.ts";
import { query, type Steps } from "./steps.ts";

const columns = "key_id, name, principal, scope, hash, created_at, requests_per_minute";

interface KeyRow {
  readonly key_id: string;
  readonly name: string;
  readonly principal: string;
  readonly scope: StoredKey["scope"];
  readonly hash: string;
  readonly created_at: number;
  readonly requests_per_minute: number | null;
}

export function* putKey(key: StoredKey): Steps<void> {
  const { keyId, name, principal, scope, hash, createdAt, requestsPerMinute } = key;
  yield* query(
    `INSERT INTO api_keys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key_id) DO UPDATE SET name = excluded.name, principal = excluded.principal, scope = excluded.scope,
      hash = excluded.hash, created_at = excluded.created_at, requests_per_minute = excluded.requests_per_minute`,
    keyId,
    name,
    principal,
    scope,
    hash,
    createdAt,
    requestsPerMinute ?? null,
  );
}

export function* keyByHash(hash: string): Steps<StoredKey | undefined> {
  const [row] = yield* query<KeyRow>(`SELECT ${columns} FROM api_keys WHERE hash = ?`, hash);
  return row && stored(row);
}

export function* readKey(keyId: string): Steps<StoredKey | undefined> {
  const [row] = yield* query<KeyRow>(`SELECT ${columns} FROM api_keys WHERE key_id = ?`, keyId);
  return row && stored(row);
}

export function* listKeys(): Steps<readonly StoredKey[]> {
  const rows = yield* query<KeyRow>(`SELECT ${columns} FROM api_keys ORDER BY created_at, key_id`);
  return rows.map(stored);
}

export function* deleteKey(keyId: string): Steps<boolean> {
  return (yield* query("DELETE FROM api_keys WHERE key_id = ? RETURNING key_id", keyId)).length > 0;
}

function stored({ key_id, name, principal, scope, hash, created_at, requests_per_minute: limit }: KeyRow): StoredKey {
  const key = { keyId: key_id, name, principal, scope, hash, createdAt: created_at };
  return limit === null ? key : { ...key, requestsPerMinute: limit };
}
