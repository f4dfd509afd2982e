import {
  type ContentPart,
  daemonEvent,
  deltaPart,
  type EventDraft,
  type SessionState,
  streamedText,
  type UniversalItem,
} from "@sandbox-agent-ts/protocol";

/**
 * What an agent left out of an item's life, made up by the daemon before the draft itself: a start that never came, one
 * delta for text that came whole.
 */
export function missingBefore(state: SessionState, draft: EventDraft): readonly EventDraft[] {
  if (draft.type === "item.delta") {
    const { item_id } = draft.data;
    if (state.openItems[item_id]) return none;
    return [started({ item_id, kind: "message", role: "assistant", status: "in_progress", content: [] })];
  }
  if (draft.type !== "item.completed") return none;
  const { item } = draft.data;
  const open = state.openItems[item.item_id];
  const missing: EventDraft[] = [];
  if (!open) missing.push(started({ ...item, status: "in_progress", content: item.content.map(withoutText) }));
  const rest = open && open.dropped > 0 ? "" : unspoken(item, open?.deltas ?? []);
  if (rest !== "") missing.push(daemonEvent({ type: "item.delta", data: { item_id: item.item_id, delta: rest } }));
  return missing;
}

/** Say in a delta what it is part of. In place: a copy of every delta would cost a tenth of the pipeline. */
export function addDeltaPart(state: SessionState, draft: EventDraft): void {
  if (draft.type !== "item.delta") return;
  const open = state.openItems[draft.data.item_id];
  const part = open && deltaPart(open.item);
  if (part !== undefined) draft.data.part = part;
}

const none: readonly EventDraft[] = [];

function started(item: UniversalItem): EventDraft {
  return daemonEvent({ type: "item.started", data: { item } });
}

function withoutText(part: ContentPart): ContentPart {
  return part.type === "text" || part.type === "reasoning" ? { ...part, text: "" } : part;
}

/** The text of a completed item that no delta has carried. What a tool took or gave need not be streamed. */
function unspoken(item: UniversalItem, deltas: readonly string[]): string {
  const hasProse = item.content.some((part) => part.type === "text" || part.type === "reasoning");
  if (deltas.length === 0 && !hasProse) return "";
  const text = streamedText(item);
  const spoken = deltas.join("");
  return text.startsWith(spoken) ? text.slice(spoken.length) : "";
}
