import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { EventBatch } from "@sandbox-agent-ts/store";
import { EntryEncoder, ownEntry } from "../mirror/encode-event.ts";

/** The log of a session that has just been made. */
export function firstBatch(session: { uid: string; sessionId: string }, start: EventDraft): EventBatch {
  return { first: 1, count: 1, lines: new EntryEncoder(session).encode(ownEntry(start, null), 1), raw: "" };
}
