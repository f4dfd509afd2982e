import { SandboxError } from "@sandbox-agent-ts/protocol";
import { lengthOf } from "../log-lines.ts";
import { isLimited, type Quota, refuseSession } from "../quota.ts";
import {
  firstEpoch,
  type Lease,
  LeaseLost,
  type ListedSession,
  type NewSession,
  type SessionFieldChanges,
  type StoredSession,
  type StoredSessionPage,
  type StoredSessionQuery,
} from "../runtime-store.ts";
import { keepBatch } from "./event-tables.ts";
import { fromJson, toJson } from "./json.ts";
import { query, queryLocked, type SqlValue, type Steps } from "./steps.ts";
import { lockUsage } from "./usage.ts";

const columns = `session_id, uid, owner, agent, profile, title, metadata, settings, created_at, last_activity, head, epoch,
  lease_owner, lease_until, summary`;

interface SessionRow {
  readonly session: number;
  readonly session_id: string;
  readonly uid: string;
  readonly owner: string;
  readonly agent: string;
  readonly profile: string | null;
  readonly title: string | null;
  readonly metadata: string | null;
  readonly settings: string | null;
  readonly created_at: number;
  readonly last_activity: number;
  readonly head: number;
  readonly epoch: number;
  readonly lease_owner: string | null;
  readonly lease_until: number;
  readonly summary: string | null;
  readonly snapshot: string | null;
}

export function* createSession(session: NewSession, quota?: Quota): Steps<Lease | undefined> {
  const { sessionId, uid, owner, agent, profile, title, metadata, settings, createdAt, log, lease } = session;
  if (isLimited(quota, "sessions", "storageBytes")) refuseSession(owner, yield* lockUsage(owner), quota);
  const epoch = firstEpoch();
  const [created] = yield* query<SessionRow>(
    `INSERT INTO sessions (session_id, uid, owner, agent, profile, title, metadata, settings, search, created_at,
      last_activity, head, epoch, lease_owner, lease_until, stored_bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (session_id) DO NOTHING RETURNING session`,
    sessionId,
    uid,
    owner,
    agent,
    profile ?? null,
    title ?? null,
    toJson(metadata),
    toJson(settings),
    searchable(sessionId, title),
    createdAt,
    session.lastActivity ?? createdAt,
    log?.count ?? 0,
    epoch,
    lease?.owner ?? null,
    lease ? Date.now() + lease.ttlMs : 0,
    log ? lengthOf(log) : 0,
  );
  if (!created) {
    throw new SandboxError("session_already_exists", `Session "${sessionId}" exists already.`, { sessionId });
  }
  if (log) yield* keepBatch(created.session, log);
  return lease && { sessionId, owner: lease.owner, epoch };
}

export function* readSession(sessionId: string): Steps<StoredSession | undefined> {
  const [row] = yield* query<SessionRow>(
    `SELECT ${columns}, snapshot FROM sessions LEFT JOIN snapshots ON snapshots.session = sessions.session
      WHERE session_id = ?`,
    sessionId,
  );
  return row && { ...listed(row), snapshot: fromJson(row.snapshot) };
}

export function* listSessions({ owner, agent, search, limit, after }: StoredSessionQuery): Steps<StoredSessionPage> {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const narrow = (condition: string, ...wanted: SqlValue[]): void => {
    conditions.push(condition);
    values.push(...wanted);
  };
  if (owner !== undefined) narrow("owner = ?", owner);
  if (agent !== undefined) narrow("agent = ?", agent);
  if (search !== undefined) narrow("search LIKE ? ESCAPE '\\'", `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
  if (after !== undefined) narrow("(created_at, session_id) < (?, ?)", after.createdAt, after.sessionId);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = yield* query<SessionRow>(
    `SELECT ${columns} FROM sessions ${where} ORDER BY created_at DESC, session_id DESC LIMIT ?`,
    ...values,
    limit + 1,
  );
  return { sessions: rows.slice(0, limit).map(listed), hasMore: rows.length > limit };
}

export function* updateSession(sessionId: string, changes: SessionFieldChanges): Steps<boolean> {
  const [row] = yield* queryLocked<SessionRow>(
    "SELECT profile, title, metadata, settings, last_activity FROM sessions WHERE session_id = ?",
    sessionId,
  );
  if (!row) return false;
  const title = "title" in changes ? changes.title : (row.title ?? undefined);
  yield* query(
    `UPDATE sessions SET profile = ?, title = ?, metadata = ?, settings = ?, search = ?, last_activity = ?
      WHERE session_id = ?`,
    "profile" in changes ? (changes.profile ?? null) : row.profile,
    title ?? null,
    "metadata" in changes ? toJson(changes.metadata) : row.metadata,
    "settings" in changes ? toJson(changes.settings) : row.settings,
    searchable(sessionId, title),
    changes.lastActivity ?? row.last_activity,
    sessionId,
  );
  return true;
}

/** What the session leaves behind is out of sight, and is removed by `sweepLeftovers`. */
export function* deleteSession(sessionId: string): Steps<void> {
  yield* query("UPDATE sandboxes SET session_id = NULL WHERE session_id = ?", sessionId);
  const [gone] = yield* query<SessionRow>("DELETE FROM sessions WHERE session_id = ? RETURNING session", sessionId);
  if (gone) yield* query("INSERT INTO leftovers (session) VALUES (?)", gone.session);
}

const smallTables = ["snapshots", "turns", "requests", "transcripts", "files", "checkpoints"];
const sweepRows = 64;
const sweptEntries = 1_000;

/** Remove a piece of what forgotten sessions left behind; true when there is more. */
export function* sweepLeftovers(): Steps<boolean> {
  const [leftover] = yield* query<{ session: number }>("SELECT session FROM leftovers LIMIT 1");
  if (!leftover) return false;
  const { session } = leftover;
  for (const table of ["events", "payloads"]) {
    const removed = yield* query(
      `DELETE FROM ${table} WHERE session = ? AND first <=
        (SELECT MAX(first) FROM (SELECT first FROM ${table} WHERE session = ? ORDER BY first LIMIT ${sweepRows}) AS oldest)
        RETURNING part`,
      session,
      session,
    );
    if (removed.length >= sweepRows) return true;
  }
  const entries = yield* query(
    `DELETE FROM workspace_entries WHERE session = ? AND path <= (SELECT MAX(path) FROM
      (SELECT path FROM workspace_entries WHERE session = ? ORDER BY path LIMIT ${sweptEntries}) AS first_ones)
      RETURNING begins`,
    session,
    session,
  );
  if (entries.length >= sweptEntries) return true;
  for (const table of smallTables) yield* query(`DELETE FROM ${table} WHERE session = ?`, session);
  yield* query("DELETE FROM leftovers WHERE session = ?", session);
  return true;
}

export function* claimLease(sessionId: string, owner: string, ttlMs: number): Steps<Lease | undefined> {
  const now = Date.now();
  const [row] = yield* query<SessionRow>(
    `UPDATE sessions SET epoch = epoch + 1, lease_owner = ?, lease_until = ?
      WHERE session_id = ? AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ?) RETURNING epoch`,
    owner,
    now + ttlMs,
    sessionId,
    owner,
    now,
  );
  return row && { sessionId, owner, epoch: row.epoch };
}

export function* renewLeases(owner: string, ttlMs: number): Steps<readonly string[]> {
  const rows = yield* query<SessionRow>(
    "UPDATE sessions SET lease_until = ? WHERE lease_owner = ? RETURNING session_id",
    Date.now() + ttlMs,
    owner,
  );
  return rows.map((row) => row.session_id);
}

export function* releaseLease({ sessionId, epoch }: Lease): Steps<void> {
  yield* query(
    "UPDATE sessions SET epoch = epoch + 1, lease_owner = NULL WHERE session_id = ? AND epoch = ?",
    sessionId,
    epoch,
  );
}

/** The number of a session that exists. */
export function* sessionNumber(sessionId: string): Steps<number> {
  return numberIn(sessionId, yield* query<SessionRow>("SELECT session FROM sessions WHERE session_id = ?", sessionId));
}

/** The number of a session that exists until the transaction ends. */
export function* lockSession(sessionId: string): Steps<number> {
  const select = "SELECT session FROM sessions WHERE session_id = ?";
  return numberIn(sessionId, yield* queryLocked<SessionRow>(select, sessionId));
}

export function* ownerOf(session: number): Steps<string> {
  const [row] = yield* query<SessionRow>("SELECT owner FROM sessions WHERE session = ?", session);
  return row!.owner;
}

function numberIn(sessionId: string, [row]: readonly SessionRow[]): number {
  if (row) return row.session;
  throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
}

/** The number, head and owner of the session that the lease is still good for. */
export function* fenced({ sessionId, epoch }: Lease): Steps<{ session: number; head: number; owner: string }> {
  const [row] = yield* queryLocked<SessionRow>(
    "SELECT session, head, epoch, owner FROM sessions WHERE session_id = ?",
    sessionId,
  );
  if (row?.epoch !== epoch) throw new LeaseLost(sessionId);
  return row;
}

const searchable = (sessionId: string, title = ""): string => `${sessionId}\n${title}`.toLowerCase();

function listed(row: SessionRow): ListedSession {
  return {
    sessionId: row.session_id,
    uid: row.uid,
    owner: row.owner,
    agent: row.agent,
    profile: row.profile ?? undefined,
    title: row.title ?? undefined,
    metadata: fromJson(row.metadata) as ListedSession["metadata"],
    settings: fromJson(row.settings),
    createdAt: row.created_at,
    lastActivity: row.last_activity,
    head: row.head,
    epoch: row.epoch,
    leaseOwner: row.lease_until > Date.now() ? (row.lease_owner ?? undefined) : undefined,
    summary: fromJson(row.summary),
  };
}
