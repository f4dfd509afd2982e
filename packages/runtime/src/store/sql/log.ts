import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { EventPage, PageRequest, RawPage } from "@sandbox-agent-ts/store";
import { lengthOf } from "../log-lines.ts";
import type { Lease, LogBatch } from "../runtime-store.ts";
import { events, keepBatch, payloads } from "./event-tables.ts";
import { toJson } from "./json.ts";
import { readLines } from "./lines.ts";
import { openRequests, resolveRequests } from "./requests.ts";
import { fenced } from "./sessions.ts";
import { query, type Steps } from "./steps.ts";
import { endTurns } from "./turns.ts";

export function* append(lease: Lease, batch: LogBatch): Steps<void> {
  const { first, count, at, cursor } = batch;
  const { session, head } = yield* fenced(lease);
  if (first !== head + 1) throw new SandboxError("internal_error", `Event ${first} does not follow event ${head}.`);
  yield* query(
    `UPDATE sessions SET head = ?, last_activity = CASE WHEN last_activity < ? THEN ? ELSE last_activity END,
      summary = COALESCE(?, summary), stored_bytes = stored_bytes + ? WHERE session = ?`,
    head + count,
    at,
    at,
    toJson(batch.summary),
    lengthOf(batch),
    session,
  );
  yield* keepBatch(session, batch);
  if (cursor) yield* moveCursor(cursor.sandboxId, cursor.sequence);
  if (batch.snapshot !== undefined) {
    yield* query(
      `INSERT INTO snapshots (session, snapshot) VALUES (?, ?)
        ON CONFLICT (session) DO UPDATE SET snapshot = excluded.snapshot`,
      session,
      toJson(batch.snapshot),
    );
  }
  yield* endTurns(session, batch.endedTurns ?? []);
  yield* openRequests(session, batch.openedRequests ?? []);
  yield* resolveRequests(session, batch.resolvedRequests ?? []);
}

function* moveCursor(sandboxId: string, sequence: number): Steps<void> {
  const moved = yield* query(
    "UPDATE sandboxes SET mirrored = ? WHERE sandbox_id = ? AND mirrored < ? RETURNING mirrored",
    sequence,
    sandboxId,
    sequence,
  );
  if (moved.length > 0) return;
  const sentence = `Event ${sequence} of sandbox "${sandboxId}" is mirrored already, or there is no such sandbox.`;
  throw new SandboxError("internal_error", sentence);
}

export function* readEvents(session: number, after: number, page: PageRequest): Steps<EventPage> {
  const { isEnd: _, ...found } = yield* readLines(events, session, after, page);
  return { first: after + 1, ...found };
}

export function* readPayloads(session: number, after: number, page: PageRequest): Steps<RawPage> {
  return yield* readLines(payloads, session, after, page);
}
