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
    `SELECT DISTINCT sandboxes.session_id FROM sandboxes JOIN sessions ON sessions.session_id = sandboxes.session_id
      WHERE owner = ? AND sandboxes.state <> 'ended'`,
    owner,
  );
  return {
    sessions: Number(sessions!.count),
    turns: Number(turns!.count),
    sandboxes: sandboxes.map((row) => row.session_id),
    storageBytes: Number(sessions!.bytes),
  };
}
