import type { OpenedRequest, StoredRequest } from "../runtime-store.ts";
import { fromJson, toJson } from "./json.ts";
import { query, type Steps } from "./steps.ts";

interface RequestRow {
  readonly request_id: string;
  readonly kind: OpenedRequest["kind"];
  readonly answer: string | null;
}

const sessionOf = "session = (SELECT session FROM sessions WHERE session_id = ?)";

export function* openRequests(session: number, requests: readonly OpenedRequest[]): Steps<void> {
  for (const { requestId, kind } of requests) {
    yield* query(
      `INSERT INTO requests (session, request_id, place, kind, resolved)
        VALUES (?, ?, (SELECT COALESCE(MAX(place), 0) + 1 FROM requests WHERE session = ?), ?, 0)
        ON CONFLICT (session, request_id) DO NOTHING`,
      session,
      requestId,
      session,
      kind,
    );
  }
}

export function* resolveRequests(session: number, requestIds: readonly string[]): Steps<void> {
  for (const requestId of requestIds) {
    yield* query("UPDATE requests SET resolved = 1 WHERE session = ? AND request_id = ?", session, requestId);
  }
}

export function* answerRequest(
  sessionId: string,
  requestId: string,
  answer: unknown,
): Steps<"kept" | "answered" | undefined> {
  const kept = yield* query(
    `UPDATE requests SET answer = ? WHERE ${sessionOf} AND request_id = ? AND answer IS NULL AND resolved = 0 RETURNING place`,
    toJson(answer ?? null),
    sessionId,
    requestId,
  );
  if (kept.length > 0) return "kept";
  const known = yield* query(`SELECT place FROM requests WHERE ${sessionOf} AND request_id = ?`, sessionId, requestId);
  return known.length > 0 ? "answered" : undefined;
}

export function* listOpenRequests(sessionId: string): Steps<readonly StoredRequest[]> {
  const rows = yield* query<RequestRow>(
    `SELECT request_id, kind, answer FROM requests WHERE ${sessionOf} AND resolved = 0 ORDER BY place`,
    sessionId,
  );
  return rows.map(({ request_id, kind, answer }) => {
    const request = { requestId: request_id, kind };
    return answer === null ? request : { ...request, answer: fromJson(answer) };
  });
}
