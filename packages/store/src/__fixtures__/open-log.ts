import { EventLog } from "../event-log.ts";
import type { EventStore } from "../event-store.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import type { SessionLog } from "../session-log.ts";

/** A log with one new session. */
export async function openLog<S extends EventStore = MemoryStore>(
  store: S = new MemoryStore() as EventStore as S,
  sessionId = "s",
): Promise<{ store: S; events: EventLog; log: SessionLog }> {
  const events = new EventLog(store);
  return { store, events, log: await addSession(events, sessionId) };
}

export async function addSession(events: EventLog, sessionId: string): Promise<SessionLog> {
  const record = { sessionId, uid: "k3x9", createdAt: Date.now(), config: null };
  await events.store.create(record);
  return events.open(record, null);
}
