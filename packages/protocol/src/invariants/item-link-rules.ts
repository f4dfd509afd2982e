import type { UniversalItem } from "../universal-item.ts";
import type { Report, RuleWatch } from "./rule.ts";

/** What items and requests say of items: parents, results of calls, the call a request is about. */
export function watchItemLinks(): RuleWatch {
  const itemIds = new Set<string>();
  const callIds = new Set<string>();
  /** The call of each item that is one. */
  const calls = new Map<string, string>();
  return {
    push(event, _turnId, report) {
      if (event.type.startsWith("permission.") || event.type.startsWith("question.")) {
        checkRequest(event.data as RequestLink, calls, report);
      }
      if (event.type !== "item.started" && event.type !== "item.completed") return;
      const { item } = event.data;
      checkParent(item, itemIds, report);
      checkResults(item, callIds, report);
      for (const call of callsOf(item)) {
        callIds.add(call);
        calls.set(item.item_id, call);
      }
      itemIds.add(item.item_id);
    },
  };
}

interface RequestLink {
  readonly call_id?: string | null;
  readonly item_id?: string | null;
}

function checkRequest({ call_id, item_id }: RequestLink, calls: ReadonlyMap<string, string>, report: Report): void {
  if (!item_id || (call_id && calls.get(item_id) === call_id)) return;
  report("request-names-its-call", `A request is about ${item_id}, which is not the item of the call ${call_id}.`);
}

function checkParent(item: UniversalItem, itemIds: ReadonlySet<string>, report: Report): void {
  const parentId = item.parent_id ?? undefined;
  if (parentId === undefined) return;
  if (parentId === item.item_id) report("parent-known", `${item.item_id} is its own parent.`);
  else if (!itemIds.has(parentId)) report("parent-known", `${item.item_id} has the unknown parent ${parentId}.`);
}

function callsOf({ content }: UniversalItem): string[] {
  return content.flatMap((part) => (part.type === "tool_call" ? [part.call_id] : []));
}

function checkResults(item: UniversalItem, callIds: ReadonlySet<string>, report: Report): void {
  const known = new Set(callsOf(item));
  for (const part of item.content) {
    if (part.type === "tool_result" && !callIds.has(part.call_id) && !known.has(part.call_id)) {
      report("tool-result-follows-call", `${item.item_id} is the result of the unknown call ${part.call_id}.`);
    }
  }
}
