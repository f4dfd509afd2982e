import { isUtf8 } from "node:buffer";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type { EntryChange, EntryPage, NewCheckpoint, SmallBlob, StoredCheckpoint } from "../checkpoint-store.ts";
import type { Lease } from "../runtime-store.ts";
import { fromJson, toJson } from "./json.ts";
import { fenced } from "./sessions.ts";
import { query, type Steps } from "./steps.ts";

const sessionOf = "session = (SELECT session FROM sessions WHERE session_id = ?)";

/**
 * An entry is a row with the checkpoints it is part of: from one, up to another that has it no more. What is written for a
 * checkpoint before that is there changes nothing for those that are.
 */
export function* beginCheckpoint(lease: Lease): Steps<number> {
  const { session } = yield* fenced(lease);
  const [last] = yield* query<{ number: number | null }>(
    "SELECT MAX(number) AS number FROM checkpoints WHERE session = ?",
    session,
  );
  const number = (last?.number ?? 0) + 1;
  // Left by one that was never finished.
  yield* query("DELETE FROM workspace_entries WHERE session = ? AND begins >= ?", session, number);
  yield* query("UPDATE workspace_entries SET ends = NULL WHERE session = ? AND ends >= ?", session, number);
  return number;
}

export function* stageChanges(lease: Lease, number: number, changes: readonly EntryChange[]): Steps<void> {
  const { session } = yield* fenced(lease);
  for (const { path, entry, isKnown } of changes) {
    if (isKnown) {
      yield* query(
        "UPDATE workspace_entries SET ends = ? WHERE session = ? AND path = ? AND ends IS NULL",
        number,
        session,
        path,
      );
    }
    if (!entry) continue;
    yield* query(
      `INSERT INTO workspace_entries (session, path, begins, ends, type, mode, size, mtime, hash, target)
        VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)`,
      session,
      path,
      number,
      entry.type,
      "mode" in entry ? entry.mode : 0,
      entry.type === "file" ? entry.size : 0,
      entry.type === "file" ? Math.floor(entry.mtime) : 0,
      entry.type === "file" ? entry.hash : null,
      entry.type === "symlink" ? targetOf(entry) : null,
    );
  }
}

export function* finishCheckpoint(lease: Lease, number: number, checkpoint: NewCheckpoint): Steps<void> {
  const { session } = yield* fenced(lease);
  const { sequence, at, directory, tag, summary, keep } = checkpoint;
  yield* query(
    "INSERT INTO checkpoints (session, number, sequence, at, directory, tag, summary) VALUES (?, ?, ?, ?, ?, ?, ?)",
    session,
    number,
    sequence,
    at,
    directory,
    tag,
    toJson(summary),
  );
  const oldest = number - keep + 1;
  yield* query("DELETE FROM checkpoints WHERE session = ? AND number < ?", session, oldest);
  yield* query("DELETE FROM workspace_entries WHERE session = ? AND ends <= ?", session, oldest);
}

interface CheckpointRow extends Omit<StoredCheckpoint, "summary"> {
  readonly summary: string | null;
}

export function* listCheckpoints(sessionId: string): Steps<readonly StoredCheckpoint[]> {
  const rows = yield* query<CheckpointRow>(
    `SELECT number, sequence, at, directory, tag, summary FROM checkpoints WHERE ${sessionOf} ORDER BY number DESC`,
    sessionId,
  );
  return rows.map(({ number, sequence, at, directory, tag, summary }) => {
    return { number, sequence, at, directory, tag, summary: fromJson(summary) };
  });
}

interface EntryRow {
  readonly path: Uint8Array;
  readonly type: WorkspaceEntry["type"];
  readonly mode: number;
  readonly size: number;
  readonly mtime: number;
  readonly hash: string | null;
  readonly target: Uint8Array | null;
}

export function* listEntries(sessionId: string, number: number, { after, limit }: EntryPage): Steps<WorkspaceEntry[]> {
  const rows = yield* query<EntryRow>(
    `SELECT path, type, mode, size, mtime, hash, target FROM workspace_entries
      WHERE ${sessionOf} AND path > ? AND begins <= ? AND (ends IS NULL OR ends > ?) ORDER BY path LIMIT ?`,
    sessionId,
    after ?? new Uint8Array(),
    number,
    number,
    limit,
  );
  return rows.map(entryOf);
}

function entryOf({ path, type, mode, size, mtime, hash, target }: EntryRow): WorkspaceEntry {
  const place = textOf(path);
  const named = { path: place.text, ...(place.bytes === undefined ? {} : { pathBytes: place.bytes }) };
  if (type === "directory") return { type, ...named, mode };
  if (type === "file") return { type, ...named, mode, size, mtime, hash: hash ?? "" };
  const link = textOf(target ?? new Uint8Array());
  return { type, ...named, target: link.text, ...(link.bytes === undefined ? {} : { targetBytes: link.bytes }) };
}

function textOf(bytes: Uint8Array): { text: string; bytes?: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  return isUtf8(buffer) ? { text } : { text, bytes: buffer.toString("base64") };
}

function targetOf({ target, targetBytes }: { target: string; targetBytes?: string | undefined }): Uint8Array {
  return targetBytes === undefined ? Buffer.from(target) : Buffer.from(targetBytes, "base64");
}

export function* putBlobs(blobs: readonly SmallBlob[], now: number): Steps<void> {
  for (const { hash, bytes } of blobs) yield* putBlobRow(hash, bytes.length, bytes, now);
}

/** Without bytes they are elsewhere. */
export function* putBlobRow(hash: string, size: number, bytes: Uint8Array | null, now: number): Steps<void> {
  yield* query(
    `INSERT INTO blobs (hash, size, bytes, used_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET used_at = excluded.used_at`,
    hash,
    size,
    bytes,
    now,
  );
}

export function* readBlobs(hashes: readonly string[]): Steps<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const hash of hashes) {
    const [row] = yield* query<{ bytes: Uint8Array | null }>("SELECT bytes FROM blobs WHERE hash = ?", hash);
    if (row?.bytes) found.set(hash, row.bytes);
  }
  return found;
}

const sweptAtOnce = 500;

/** Answers what was forgotten, and where to go on. */
export function* sweepBlobs(after: string, before: number): Steps<{ gone: string[]; next: string | undefined }> {
  const page = yield* query<{ hash: string; isOld: number; isNamed: number }>(
    `SELECT hash, CASE WHEN used_at < ? THEN 1 ELSE 0 END AS "isOld",
      CASE WHEN EXISTS (SELECT 1 FROM workspace_entries WHERE workspace_entries.hash = blobs.hash) THEN 1 ELSE 0 END
      AS "isNamed" FROM blobs WHERE hash > ? ORDER BY hash LIMIT ?`,
    before,
    after,
    sweptAtOnce,
  );
  const gone = page.filter(({ isOld, isNamed }) => isOld === 1 && isNamed === 0).map(({ hash }) => hash);
  for (const hash of gone) yield* query("DELETE FROM blobs WHERE hash = ?", hash);
  return { gone, next: page.length < sweptAtOnce ? undefined : page.at(-1)?.hash };
}
