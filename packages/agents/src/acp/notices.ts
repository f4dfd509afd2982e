import type { EventDraft, UniversalItem } from "@sandbox-agent/protocol";
import type { AcpAgent } from "./acp-agent.ts";

const fromDaemon = { source: "daemon", synthetic: true } as const;

/** The agent begins without memory. */
export function lostConversation({ displayName }: AcpAgent, itemId: string, nativeId: string): EventDraft[] {
  const detail = `${displayName} cannot go on with the conversation ${nativeId}; it begins without memory.`;
  const item: UniversalItem = {
    item_id: itemId,
    kind: "status",
    role: "system",
    status: "completed",
    content: [{ type: "status", label: "Conversation lost", detail }],
  };
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, ...fromDaemon },
    { type: "item.completed", data: { item }, ...fromDaemon },
  ];
}

export function leftOut({ displayName }: AcpAgent, { bytes, head }: { bytes: number; head: string }): EventDraft {
  const message = `${displayName} printed a line of ${bytes} bytes, more than is allowed; it was left out.`;
  return { type: "error", data: { message, code: "stream_error", details: { bytes, head } }, ...fromDaemon };
}
