import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import type { Told } from "./transcript-text.ts";

/**
 * The events of the main conversation, and those of each subagent by the id of the call that started it, which stays the same
 * when the main conversation is written down in the agent's own form.
 */
export function byConversation(events: readonly UniversalEvent[]): {
  readonly main: readonly UniversalEvent[];
  readonly subagents: ReadonlyMap<string, readonly UniversalEvent[]>;
} {
  const items = new Map(
    events.flatMap((event) => (event.type === "item.completed" ? [[event.data.item.item_id, event.data.item]] : [])),
  );
  const idOf = ({ kind, role, parent_id }: UniversalItem, depth = 0): string | undefined => {
    if (!parent_id) return undefined;
    const parent = items.get(parent_id);
    // What a call has printed so far belongs to where the call is.
    const isOutput = kind === "status" && role === "tool";
    if (isOutput) return parent && depth < items.size ? idOf(parent, depth + 1) : undefined;
    return (parent && callIdOf(parent)) ?? parent_id;
  };
  const main: UniversalEvent[] = [];
  const subagents = new Map<string, UniversalEvent[]>();
  for (const event of events) {
    const id = event.type === "item.completed" ? idOf(event.data.item) : undefined;
    if (id === undefined) main.push(event);
    else subagents.set(id, [...(subagents.get(id) ?? []), event]);
  }
  return { main, subagents };
}

/** A conversation with what a subagent did behind the call that started it. */
export function placeSubagent(told: readonly Told[], id: string, own: readonly Told[]): Told[] {
  if (own.length === 0) return [...told];
  const inside = new Set(own.map(({ item }) => item.item_id));
  const at = told.findIndex(({ item }) => item.item_id === id || sameCall(callIdOf(item), id));
  const parent = told[at]?.item.item_id;
  const placed = own.map(({ item, time }) => {
    const isTop = parent !== undefined && item.parent_id && !inside.has(item.parent_id);
    return { item: isTop ? { ...item, parent_id: parent } : item, time };
  });
  return at < 0 ? [...told, ...placed] : told.toSpliced(at + 1, 0, ...placed);
}

function callIdOf({ content }: UniversalItem): string | undefined {
  return content.find((part) => part.type === "tool_call")?.call_id;
}

/** Agents' own files may write an id with fewer characters. */
function sameCall(one: string | undefined, other: string): boolean {
  const plain = (id: string) => id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return one !== undefined && plain(one) === plain(other);
}
