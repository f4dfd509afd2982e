import type { EventDraft, UniversalItem } from "@sandbox-agent-ts/protocol";

type Teller = Pick<EventDraft, "source" | "synthetic">;

/** Something a person should know of and that is nobody's answer, as an item that comes whole. */
export function statusNotice(
  itemId: string,
  [label, detail]: readonly [label: string, detail: string],
  by: Teller = { source: "daemon", synthetic: true },
): EventDraft[] {
  const item: Omit<UniversalItem, "status"> = {
    item_id: itemId,
    kind: "status",
    role: "system",
    content: [{ type: "status", label, detail }],
  };
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, ...by },
    { type: "item.completed", data: { item: { ...item, status: "completed" } }, ...by },
  ];
}
