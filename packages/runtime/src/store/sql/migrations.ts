import { SandboxError } from "@sandbox-agent-ts/protocol";
import { query, type Steps } from "./steps.ts";

/** What databases call things that both have. */
export interface Dialect {
  /** A primary key that the database gives, each number once and never again. */
  readonly identity: string;
  readonly bytes: string;
  /** Ends a table whose rows lie in the order of its primary key, where tables can. */
  readonly clustered: string;
}

type Migration = (dialect: Dialect) => readonly string[];

/**
 * `migrations[n]` leads from version n to n + 1. One that was released is never changed.
 *
 * Tables of what a session has are keyed by `session`, a number that is never given again: a forgotten session is out of
 * sight with its row in `sessions`, and what it leaves behind is removed piece by piece. `lines` of `events` and `payloads`
 * are whole lines, as many as came together and at most some ten thousand bytes, packed (`packed-lines.ts`); a longer line is
 * alone, in `part`s, with its `line_bytes`.
 */
const migrations: readonly Migration[] = [
  ({ identity, bytes, clustered }) => [
    `CREATE TABLE sessions (
      session ${identity},
      session_id TEXT NOT NULL UNIQUE,
      uid TEXT NOT NULL,
      owner TEXT NOT NULL,
      agent TEXT NOT NULL,
      profile TEXT,
      title TEXT,
      metadata TEXT,
      settings TEXT,
      search TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_activity BIGINT NOT NULL,
      head BIGINT NOT NULL,
      epoch BIGINT NOT NULL,
      lease_owner TEXT,
      lease_until BIGINT NOT NULL,
      summary TEXT
    )`,
    "CREATE INDEX sessions_by_age ON sessions (created_at, session_id)",
    "CREATE INDEX sessions_by_owner ON sessions (owner, created_at, session_id)",
    "CREATE INDEX sessions_by_agent ON sessions (agent, created_at, session_id)",
    "CREATE INDEX leases ON sessions (lease_owner) WHERE lease_owner IS NOT NULL",
    "CREATE TABLE snapshots (session BIGINT PRIMARY KEY, snapshot TEXT)",
    ...["events", "payloads"].map(
      (table) => `CREATE TABLE ${table} (
      session BIGINT NOT NULL,
      first BIGINT NOT NULL,
      part BIGINT NOT NULL,
      last BIGINT NOT NULL,
      line_bytes BIGINT NOT NULL,
      lines ${bytes} NOT NULL,
      PRIMARY KEY (session, first, part)
    ) ${clustered}`,
    ),
    `CREATE TABLE turns (
      session BIGINT NOT NULL,
      turn_id TEXT NOT NULL,
      place BIGINT NOT NULL,
      idempotency_key TEXT,
      message_id TEXT,
      digest TEXT NOT NULL,
      message TEXT NOT NULL,
      attachments TEXT NOT NULL,
      admitted_at BIGINT NOT NULL,
      after_sequence BIGINT NOT NULL,
      state TEXT NOT NULL,
      generation BIGINT,
      PRIMARY KEY (session, turn_id),
      UNIQUE (session, idempotency_key),
      UNIQUE (session, place)
    )`,
    "CREATE INDEX open_turns ON turns (session, place) WHERE state IN ('admitted', 'sent')",
    `CREATE TABLE requests (
      session BIGINT NOT NULL,
      request_id TEXT NOT NULL,
      place BIGINT NOT NULL,
      kind TEXT NOT NULL,
      answer TEXT,
      resolved BIGINT NOT NULL,
      PRIMARY KEY (session, request_id),
      UNIQUE (session, place)
    )`,
    "CREATE INDEX open_requests ON requests (session, place) WHERE resolved = 0",
    `CREATE TABLE sandboxes (
      sandbox_id TEXT PRIMARY KEY,
      provider TEXT NOT NULL,
      provider_id TEXT NOT NULL,
      template TEXT NOT NULL,
      session_id TEXT,
      generation BIGINT NOT NULL,
      token TEXT NOT NULL,
      mirrored BIGINT NOT NULL,
      state TEXT NOT NULL,
      restart_count BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT
    )`,
    "CREATE INDEX sandboxes_by_session ON sandboxes (session_id, generation)",
    "CREATE INDEX warm_sandboxes ON sandboxes (template, created_at) WHERE session_id IS NULL AND generation = 0",
    `CREATE TABLE api_keys (
      key_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      principal TEXT NOT NULL,
      scope TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE transcripts (
      session BIGINT NOT NULL,
      subagent_id TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (session, subagent_id)
    )`,
    `CREATE TABLE files (
      session BIGINT NOT NULL,
      path TEXT NOT NULL,
      content TEXT NOT NULL,
      modified_at BIGINT NOT NULL,
      PRIMARY KEY (session, path)
    )`,
    `CREATE TABLE profiles (
      profile_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      profile TEXT,
      updated_at BIGINT NOT NULL
    )`,
    "CREATE TABLE leftovers (session BIGINT PRIMARY KEY)",
  ],
  () => ["ALTER TABLE api_keys ADD COLUMN requests_per_minute BIGINT"],
  ({ bytes, clustered }) => [
    `CREATE TABLE checkpoints (
      session BIGINT NOT NULL,
      number BIGINT NOT NULL,
      sequence BIGINT NOT NULL,
      at BIGINT NOT NULL,
      directory TEXT NOT NULL,
      tag TEXT NOT NULL,
      summary TEXT,
      PRIMARY KEY (session, number)
    )`,
    `CREATE TABLE workspace_entries (
      session BIGINT NOT NULL,
      path ${bytes} NOT NULL,
      begins BIGINT NOT NULL,
      ends BIGINT,
      type TEXT NOT NULL,
      mode BIGINT NOT NULL,
      size BIGINT NOT NULL,
      mtime BIGINT NOT NULL,
      hash TEXT,
      target ${bytes},
      PRIMARY KEY (session, path, begins)
    ) ${clustered}`,
    "CREATE INDEX entries_by_begin ON workspace_entries (session, begins)",
    "CREATE INDEX entries_by_end ON workspace_entries (session, ends) WHERE ends IS NOT NULL",
    "CREATE INDEX entries_by_hash ON workspace_entries (hash) WHERE hash IS NOT NULL",
    `CREATE TABLE blobs (hash TEXT PRIMARY KEY, size BIGINT NOT NULL, bytes ${bytes}, used_at BIGINT NOT NULL)`,
  ],
  ({ identity }) => [
    "ALTER TABLE sessions ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0",
    `UPDATE sessions SET stored_bytes = COALESCE((SELECT SUM(LENGTH(lines)) FROM events
      WHERE events.session = sessions.session), 0) + COALESCE((SELECT SUM(LENGTH(lines)) FROM payloads
      WHERE payloads.session = sessions.session), 0)`,
    `CREATE TABLE audit (
      id ${identity},
      at BIGINT NOT NULL,
      principal TEXT NOT NULL,
      key_id TEXT,
      by_token BIGINT NOT NULL,
      action TEXT NOT NULL,
      operation TEXT NOT NULL,
      session_id TEXT,
      status BIGINT NOT NULL,
      remote_address TEXT
    )`,
    "CREATE INDEX audit_by_age ON audit (at)",
    "CREATE INDEX audit_by_principal ON audit (principal, id)",
    "CREATE INDEX audit_by_session ON audit (session_id, id) WHERE session_id IS NOT NULL",
  ],
  () => [
    // Who counts what a principal has holds its row until the transaction ends.
    "CREATE TABLE principals (principal TEXT PRIMARY KEY)",
    "ALTER TABLE sessions ADD COLUMN sandbox_epoch BIGINT",
  ],
];

/**
 * Bring the database to today's version, in one transaction that nobody else is in at the same time, and say which store
 * it is. A newer one is refused.
 */
export function* migrate(place: string, dialect: Dialect, newStoreId: string, steps = migrations): Steps<string> {
  yield* query("CREATE TABLE IF NOT EXISTS store (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
  const [found] = yield* query<{ value: string }>("SELECT value FROM store WHERE name = 'version'");
  const version = Number(found?.value ?? 0);
  if (version > steps.length) throw newerDatabase(place, version, steps.length);
  for (const migration of steps.slice(version)) {
    for (const statement of migration(dialect)) yield* query(statement);
  }
  const keep = "INSERT INTO store (name, value) VALUES (?, ?) ON CONFLICT (name)";
  yield* query(`${keep} DO UPDATE SET value = excluded.value`, "version", `${steps.length}`);
  yield* query(`${keep} DO NOTHING`, "store_id", newStoreId);
  const [store] = yield* query<{ value: string }>("SELECT value FROM store WHERE name = 'store_id'");
  return store!.value;
}

function newerDatabase(place: string, found: number, known: number): SandboxError {
  return new SandboxError(
    "internal_error",
    `${place} was written by a newer version (database version ${found}, this one knows ${known}). ` +
      "Update sandbox-agent or choose another store.",
  );
}
