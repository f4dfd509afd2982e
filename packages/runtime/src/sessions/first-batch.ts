import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { EntryEncoder, ownEntry } from "../mirror/encode-event.ts";
import type { LogLines } from "../store/log-lines.ts";

/** The log of a session that has just been made. */
export function firstBatch(session: { uid: string; sessionId: string }, start: EventDraft): LogLines {
  return { first: 1, count: 1, lines: [new EntryEncoder(session).line(ownEntry(start, null), 1)], raw: [] };
}
