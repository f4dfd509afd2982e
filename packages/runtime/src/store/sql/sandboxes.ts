import { type Quota, refuseSandbox } from "../quota.ts";
import type { Lease, StoredSandbox } from "../runtime-store.ts";
import { fenced } from "./sessions.ts";
import { query, queryLocked, type Steps } from "./steps.ts";
import { lockUsage } from "./usage.ts";

interface SandboxRow {
  readonly sandbox_id: string;
  readonly provider: string;
  readonly provider_id: string;
  readonly template: string;
  readonly session_id: string | null;
  readonly generation: number;
  readonly token: string;
  readonly mirrored: number;
  readonly state: StoredSandbox["state"];
  readonly restart_count: number;
  readonly created_at: number;
  readonly expires_at: number | null;
}

export function* reserveSandbox(lease: Lease, quota: Quota): Steps<void> {
  const { session, owner } = yield* fenced(lease);
  refuseSandbox(owner, yield* lockUsage(owner), quota, lease.sessionId);
  yield* query("UPDATE sessions SET sandbox_epoch = epoch WHERE session = ?", session);
}

export function* releaseSandbox({ sessionId, epoch }: Lease): Steps<void> {
  yield* query("UPDATE sessions SET sandbox_epoch = NULL WHERE session_id = ? AND epoch = ?", sessionId, epoch);
}

export function* putSandbox(sandbox: StoredSandbox): Steps<void> {
  yield* query(
    `INSERT INTO sandboxes (sandbox_id, provider, provider_id, template, session_id, generation, token, mirrored, state,
      restart_count, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (sandbox_id) DO UPDATE SET provider = excluded.provider, provider_id = excluded.provider_id,
      template = excluded.template, session_id = excluded.session_id, generation = excluded.generation,
      token = excluded.token, mirrored = excluded.mirrored, state = excluded.state,
      restart_count = excluded.restart_count, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    sandbox.sandboxId,
    sandbox.provider,
    sandbox.providerId,
    sandbox.template,
    sandbox.sessionId ?? null,
    sandbox.generation,
    sandbox.token,
    sandbox.cursor,
    sandbox.state,
    sandbox.restartCount,
    sandbox.createdAt,
    sandbox.expiresAt ?? null,
  );
}

export function* updateSandbox(sandboxId: string, changes: Partial<Omit<StoredSandbox, "sandboxId">>): Steps<boolean> {
  const [row] = yield* queryLocked<SandboxRow>("SELECT * FROM sandboxes WHERE sandbox_id = ?", sandboxId);
  if (row) yield* putSandbox({ ...stored(row), ...changes });
  return row !== undefined;
}

export function* readSandbox(sandboxId: string): Steps<StoredSandbox | undefined> {
  const [row] = yield* query<SandboxRow>("SELECT * FROM sandboxes WHERE sandbox_id = ?", sandboxId);
  return row && stored(row);
}

export function* latestSandbox(sessionId: string): Steps<StoredSandbox | undefined> {
  const [row] = yield* query<SandboxRow>(
    "SELECT * FROM sandboxes WHERE session_id = ? ORDER BY generation DESC LIMIT 1",
    sessionId,
  );
  return row && stored(row);
}

export function* listSandboxes(): Steps<readonly StoredSandbox[]> {
  const rows = yield* query<SandboxRow>("SELECT * FROM sandboxes ORDER BY created_at, sandbox_id");
  return rows.map(stored);
}

/** Of those who see the same one free, the second changes nothing and looks for another. */
export function* claimSandbox(
  template: string,
  sessionId: string,
  generation: number,
  sandboxId?: string,
): Steps<StoredSandbox | undefined> {
  const isWarm = "template = ? AND state = 'ready' AND session_id IS NULL AND generation = 0";
  while (true) {
    const [free] = yield* query<SandboxRow>(
      `SELECT sandbox_id FROM sandboxes WHERE ${isWarm} AND sandbox_id = COALESCE(?, sandbox_id)
        ORDER BY created_at LIMIT 1`,
      template,
      sandboxId ?? null,
    );
    if (!free) return undefined;
    const [claimed] = yield* query<SandboxRow>(
      `UPDATE sandboxes SET session_id = ?, generation = ?, state = 'creating' WHERE sandbox_id = ? AND ${isWarm} RETURNING *`,
      sessionId,
      generation,
      free.sandbox_id,
      template,
    );
    if (claimed) return stored(claimed);
  }
}

export function* deleteSandbox(sandboxId: string): Steps<void> {
  yield* query("DELETE FROM sandboxes WHERE sandbox_id = ?", sandboxId);
}

function stored(row: SandboxRow): StoredSandbox {
  return {
    sandboxId: row.sandbox_id,
    provider: row.provider,
    providerId: row.provider_id,
    template: row.template,
    sessionId: row.session_id ?? undefined,
    generation: row.generation,
    token: row.token,
    cursor: row.mirrored,
    state: row.state,
    restartCount: row.restart_count,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
  };
}
