import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { ReadableLog } from "@sandbox-agent-ts/server";
import type { StoredSession } from "../store/runtime-store.ts";
import { eventsAfter } from "./conversation.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { blocksOfSession } from "./session-blocks.ts";
import type { RuntimeSessionData, SessionListItem } from "./session-data.ts";

/** A whole session at one place of its log. */
export interface SessionSnapshot {
  readonly state: RuntimeSessionData;
  /** The last event that is in it. */
  readonly sequence: number;
  /** The turn that ran then. */
  readonly runningTurnId: string | null;
}

/**
 * Its blocks are made from the log, or from the agent's own transcript where the log has no conversation; nothing of them is
 * kept in memory. Of very long ones the newest 32 Mi characters are given.
 */
export async function sessionSnapshot(
  { store, persistence }: Pick<RuntimeDeps, "store" | "persistence">,
  session: StoredSession,
  log: Pick<ReadableLog, "read">,
  listed: SessionListItem,
): Promise<SessionSnapshot> {
  const files = await (persistence?.workspaceFiles(session.sessionId) ?? store.files(session.sessionId));
  const place = { sequence: 0, runningTurnId: null as string | null };
  const blocks = await blocksOfSession(store, session, noted(eventsAfter(log, 0), place));
  const workspaceFiles = files.map(({ path, content }) => ({ path, content }));
  return { state: { ...listed, ...blocks, workspaceFiles }, ...place };
}

async function* noted(
  events: AsyncIterable<UniversalEvent>,
  place: { sequence: number; runningTurnId: string | null },
): AsyncGenerator<UniversalEvent, void, void> {
  for await (const event of events) {
    place.sequence = event.sequence;
    if (event.type === "turn.started") place.runningTurnId = event.data.turn_id;
    if (event.type === "turn.ended") place.runningTurnId = null;
    yield event;
  }
}
