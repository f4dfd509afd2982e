import type { EventDraft, UniversalItem } from "@sandbox-agent/protocol";

/** A conversation begins without a server that cannot be reached, and says so. */
export function failedMcpServer(itemId: string, name: string, detail: string): EventDraft[] {
  const item: Omit<UniversalItem, "status"> = {
    item_id: itemId,
    kind: "status",
    role: "system",
    content: [{ type: "status", label: `MCP server ${name} failed`, detail }],
  };
  const by = { source: "agent", synthetic: false } as const;
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, ...by },
    { type: "item.completed", data: { item: { ...item, status: "completed" } }, ...by },
  ];
}
