import { SandboxError } from "@sandbox-agent-ts/protocol";
import { isLimited, type Quota, refuseTurn } from "../quota.ts";
import type { Lease, NewTurn, StoredTurn, TurnState } from "../runtime-store.ts";
import { fenced, lockSession, ownerOf } from "./sessions.ts";
import { query, queryLocked, type Steps } from "./steps.ts";
import { lockUsage } from "./usage.ts";

const isOpen = "state IN ('admitted', 'sent')";
const columns = `session_id, turn_id, idempotency_key, message_id, digest, message, attachments, admitted_at, after_sequence,
  state, generation`;
const turns = "turns JOIN sessions ON sessions.session = turns.session";

interface TurnRow {
  readonly session_id: string;
  readonly turn_id: string;
  readonly idempotency_key: string | null;
  readonly message_id: string | null;
  readonly digest: string;
  readonly message: string;
  readonly attachments: string;
  readonly admitted_at: number;
  readonly after_sequence: number;
  readonly state: TurnState;
  readonly generation: number | null;
}

export function* admitTurn(turn: NewTurn, maxOpen: number, quota?: Quota): Steps<{ turn: StoredTurn; isNew: boolean }> {
  const { sessionId, turnId, idempotencyKey = null, admittedAt } = turn;
  const session = yield* lockSession(sessionId);
  const [known] = yield* query<TurnRow>(
    `SELECT ${columns} FROM ${turns} WHERE turns.session = ? AND (turn_id = ? OR idempotency_key = ?)
      ORDER BY CASE WHEN turn_id = ? THEN 0 ELSE 1 END LIMIT 1`,
    session,
    turnId,
    idempotencyKey,
    turnId,
  );
  if (known) return { turn: stored(known), isNew: false };
  const [open] = yield* query<{ count: number }>(
    `SELECT COUNT(*) AS count FROM turns WHERE session = ? AND ${isOpen}`,
    session,
  );
  if (open!.count >= maxOpen) {
    throw new SandboxError("too_many_requests", `${maxOpen} messages wait already. Try again when one has ended.`);
  }
  if (isLimited(quota, "turns", "sandboxes", "storageBytes")) {
    const owner = yield* ownerOf(session);
    refuseTurn(owner, yield* lockUsage(owner), quota, sessionId);
  }
  yield* query(
    `INSERT INTO turns (session, turn_id, place, idempotency_key, message_id, digest, message, attachments, admitted_at,
      after_sequence, state) VALUES (?, ?, (SELECT COALESCE(MAX(place), 0) + 1 FROM turns WHERE session = ?), ?, ?, ?, ?, ?,
      ?, ?, 'admitted')`,
    session,
    turnId,
    session,
    idempotencyKey,
    turn.messageId ?? null,
    turn.digest,
    turn.message,
    JSON.stringify(turn.attachments),
    admittedAt,
    turn.after,
  );
  yield* query(
    "UPDATE sessions SET last_activity = ? WHERE session = ? AND last_activity < ?",
    admittedAt,
    session,
    admittedAt,
  );
  return { turn: { ...turn, state: "admitted" }, isNew: true };
}

export function* readTurn(sessionId: string, turnId: string): Steps<StoredTurn | undefined> {
  const [row] = yield* query<TurnRow>(
    `SELECT ${columns} FROM ${turns} WHERE session_id = ? AND turn_id = ?`,
    sessionId,
    turnId,
  );
  return row && stored(row);
}

export function* listOpenTurns(sessionId: string): Steps<readonly StoredTurn[]> {
  const rows = yield* query<TurnRow>(
    `SELECT ${columns} FROM ${turns} WHERE session_id = ? AND ${isOpen} ORDER BY place`,
    sessionId,
  );
  return rows.map(stored);
}

export function* listSessionsWithOpenTurns(): Steps<readonly string[]> {
  const rows = yield* query<TurnRow>(
    `SELECT session_id FROM sessions WHERE session IN (SELECT session FROM turns WHERE ${isOpen})`,
  );
  return rows.map((row) => row.session_id);
}

export function* markTurnSent(lease: Lease, turnId: string, generation: number): Steps<boolean> {
  const { session } = yield* fenced(lease);
  const sent = yield* query(
    `UPDATE turns SET state = 'sent', generation = ? WHERE session = ? AND turn_id = ? AND ${isOpen} RETURNING place`,
    generation,
    session,
    turnId,
  );
  return sent.length > 0;
}

export function* withdrawTurn(sessionId: string, turnId: string): Steps<TurnState | undefined> {
  const [turn] = yield* queryLocked<{ session: number; state: TurnState }>(
    `SELECT turns.session, state FROM ${turns} WHERE session_id = ? AND turn_id = ?`,
    sessionId,
    turnId,
  );
  if (turn?.state === "admitted") {
    yield* query("UPDATE turns SET state = 'withdrawn' WHERE session = ? AND turn_id = ?", turn.session, turnId);
  }
  return turn?.state;
}

export function* endTurns(session: number, turnIds: readonly string[]): Steps<void> {
  for (const turnId of turnIds) {
    yield* query(`UPDATE turns SET state = 'ended' WHERE session = ? AND turn_id = ? AND ${isOpen}`, session, turnId);
  }
}

function stored(row: TurnRow): StoredTurn {
  return {
    sessionId: row.session_id,
    turnId: row.turn_id,
    idempotencyKey: row.idempotency_key ?? undefined,
    messageId: row.message_id ?? undefined,
    digest: row.digest,
    message: row.message,
    attachments: JSON.parse(row.attachments) as unknown[],
    admittedAt: row.admitted_at,
    after: row.after_sequence,
    state: row.state,
    generation: row.generation ?? undefined,
  };
}
