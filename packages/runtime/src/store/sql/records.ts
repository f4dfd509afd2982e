import type { StoredFile } from "../runtime-store.ts";
import { lockSession } from "./sessions.ts";
import { query, type Steps } from "./steps.ts";

const sessionOf = "session = (SELECT session FROM sessions WHERE session_id = ?)";

/** The main conversation is `null` in JSON, so that a subagent may have any id. */
export function* putTranscript(sessionId: string, subagentId: string | null, text: string): Steps<void> {
  yield* query(
    `INSERT INTO transcripts (session, subagent_id, text) VALUES (?, ?, ?)
      ON CONFLICT (session, subagent_id) DO UPDATE SET text = excluded.text`,
    yield* lockSession(sessionId),
    JSON.stringify(subagentId),
    text,
  );
}

export function* listTranscripts(sessionId: string): Steps<readonly { subagentId: string | null; text: string }[]> {
  const rows = yield* query<{ subagent_id: string; text: string }>(
    `SELECT subagent_id, text FROM transcripts WHERE ${sessionOf}`,
    sessionId,
  );
  return rows.map(({ subagent_id, text }) => ({ subagentId: JSON.parse(subagent_id) as string | null, text }));
}

export function* putFile(sessionId: string, { path, content, modifiedAt }: StoredFile): Steps<void> {
  yield* query(
    `INSERT INTO files (session, path, content, modified_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (session, path) DO UPDATE SET content = excluded.content, modified_at = excluded.modified_at`,
    yield* lockSession(sessionId),
    path,
    content,
    modifiedAt,
  );
}

export function* deleteFile(sessionId: string, path: string): Steps<void> {
  yield* query(`DELETE FROM files WHERE ${sessionOf} AND path = ?`, sessionId, path);
}

export function* listFiles(sessionId: string): Steps<readonly StoredFile[]> {
  const columns = `path, content, modified_at AS "modifiedAt"`;
  return yield* query<StoredFile>(`SELECT ${columns} FROM files WHERE ${sessionOf} ORDER BY path`, sessionId);
}
