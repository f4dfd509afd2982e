import type { ListedSession } from "../store/runtime-store.ts";
import type { PersistedSessionListData } from "./persistence-adapter.ts";

/** A stored session in spec 003's words. */
export function listData(session: ListedSession): PersistedSessionListData {
  const { sessionId, agent, profile = "", title, createdAt, lastActivity, metadata } = session;
  return {
    sessionId,
    type: agent,
    agentProfileReference: profile,
    ...(title !== undefined && { name: title }),
    createdAt,
    lastActivity,
    ...(metadata !== undefined && { metadata }),
  };
}
