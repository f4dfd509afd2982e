import type { UniversalItem } from "../universal-item.ts";
import type { Report, RuleWatch } from "./rule.ts";

/** What items say of each other: parents, and results of calls. */
export function watchItemLinks(): RuleWatch {
  const itemIds = new Set<string>();
  const callIds = new Set<string>();
  return {
    push(event, _turnId, report) {
      if (event.type !== "item.started" && event.type !== "item.completed") return;
      const { item } = event.data;
      checkParent(item, itemIds, report);
      checkCalls(item, callIds, report);
      itemIds.add(item.item_id);
    },
  };
}

function checkParent(item: UniversalItem, itemIds: ReadonlySet<string>, report: Report): void {
  const parentId = item.parent_id ?? undefined;
  if (parentId === undefined) return;
  if (parentId === item.item_id) report("parent-known", `${item.item_id} is its own parent.`);
  else if (!itemIds.has(parentId)) report("parent-known", `${item.item_id} has the unknown parent ${parentId}.`);
}

function checkCalls(item: UniversalItem, callIds: Set<string>, report: Report): void {
  for (const part of item.content) {
    if (part.type === "tool_call") callIds.add(part.call_id);
    if (part.type === "tool_result" && !callIds.has(part.call_id)) {
      report("tool-result-follows-call", `${item.item_id} is the result of the unknown call ${part.call_id}.`);
    }
  }
}
