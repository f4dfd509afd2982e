import type { StoredUsage } from "../access-store.ts";
import { query, type Steps } from "./steps.ts";

export function* readUsage(owner: string): Steps<StoredUsage> {
  const [sessions] = yield* query<{ count: number; bytes: number }>(
    "SELECT COUNT(*) AS count, COALESCE(SUM(stored_bytes), 0) AS bytes FROM sessions WHERE owner = ?",
    owner,
  );
  const [turns] = yield* query<{ count: number }>(
    `SELECT COUNT(*) AS count FROM turns JOIN sessions ON sessions.session = turns.session
      WHERE turns.state IN ('admitted', 'sent') AND owner = ?`,
    owner,
  );
  const sandboxes = yield* query<{ session_id: string }>(
    `SELECT session_id FROM sessions WHERE owner = ? AND ((sandbox_epoch = epoch AND lease_until > ?)
      OR EXISTS (SELECT 1 FROM sandboxes WHERE sandboxes.session_id = sessions.session_id AND state <> 'ended'))`,
    owner,
    Date.now(),
  );
  return {
    sessions: Number(sessions!.count),
    turns: Number(turns!.count),
    sandboxes: sandboxes.map((row) => row.session_id),
    storageBytes: Number(sessions!.bytes),
  };
}

/** What a principal has, which nobody else counts until the transaction ends. */
export function* lockUsage(owner: string): Steps<StoredUsage> {
  yield* query(
    "INSERT INTO principals (principal) VALUES (?) ON CONFLICT (principal) DO UPDATE SET principal = excluded.principal",
    owner,
  );
  return yield* readUsage(owner);
}
