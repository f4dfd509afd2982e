import type { UniversalItem } from "../universal-item.ts";
import type { BlockState, ConversationState, Slot } from "./block-state.ts";
import { mainConversation } from "./conversation-block.ts";

const maxLabel = 40;

export function conversationState(state: BlockState, id: string): ConversationState {
  const known = state.conversations.get(id);
  if (known) return known;
  const anchor = id === mainConversation ? "start" : `${id}/sub`;
  const made = { anchor, counts: new Map(), userMessages: 0, slots: [], before: null };
  state.conversations.set(id, made);
  return made;
}

/** The name, with a number behind it where it is taken. */
export function uniqueName(state: BlockState, name: string): string {
  const taken = state.names.get(name);
  if (taken === undefined) {
    state.names.set(name, 1);
    return name;
  }
  let number = taken + 1;
  while (state.names.has(`${name}:${number}`)) number += 1;
  state.names.set(name, number);
  state.names.set(`${name}:${number}`, 1);
  return `${name}:${number}`;
}

/**
 * What the item, its blocks and the conversation under it are called after: the agent's own id, which its files have too.
 * Where there is none, or the stream does not tell it: the place, counted from the last thing that has a name.
 */
export function nameItem(state: BlockState, conversationId: string, item: UniversalItem): string {
  const conversation = conversationState(state, conversationId);
  const name = anchorOf(conversation, conversationId, item);
  if (name !== undefined) setAnchor(conversation, name);
  const native = item.kind === "tool_result" && item.native_item_id ? `${item.native_item_id}/result` : undefined;
  return uniqueName(state, name ?? native ?? nameByPlace(conversation, kindOf(item)));
}

/** What only a running program tells must not count for the rest: each label has a count of its own. */
function kindOf({ kind, role, content }: UniversalItem): string {
  const label = content.find((part) => part.type === "status")?.label ?? "";
  if (kind === "message") return role ?? kind;
  return (
    label
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, maxLabel) || kind
  );
}

/** What has a name of its own; a result is named by its call. */
function anchorOf(conversation: ConversationState, conversationId: string, item: UniversalItem): string | undefined {
  if (item.kind === "message" && item.role === "user") {
    const place = `user-${++conversation.userMessages}`;
    return conversationId === mainConversation ? place : `${conversationId}/sub/${place}`;
  }
  const call = item.content.find((part) => part.type === "tool_call");
  return call?.call_id || (item.kind === "tool_result" ? undefined : item.native_item_id) || undefined;
}

export function nameByPlace(conversation: ConversationState, kind: string): string {
  const count = (conversation.counts.get(kind) ?? 0) + 1;
  conversation.counts.set(kind, count);
  return `${conversation.anchor}/${kind}-${count}`;
}

function setAnchor(conversation: ConversationState, anchor: string): void {
  if (conversation.anchor !== anchor) conversation.counts = new Map();
  conversation.anchor = anchor;
}

export function openSlot(conversation: ConversationState): Slot {
  const slot = { last: null, open: true };
  conversation.slots.push(slot);
  return slot;
}

export function closeSlot(conversation: ConversationState, slot: Slot): void {
  slot.open = false;
  while (conversation.slots[0]?.open === false) {
    conversation.before = conversation.slots.shift()?.last ?? conversation.before;
  }
}

/** Put a block into its slot, and answer which one it stands behind. */
export function placeBlock({ slots, before }: ConversationState, slot: Slot, blockId: string): string | null {
  const at = slots.lastIndexOf(slot);
  const behind = slots.findLast(({ last }, index) => index <= at && last !== null)?.last ?? before;
  slot.last = blockId;
  return behind;
}
