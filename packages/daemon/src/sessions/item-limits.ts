import {
  daemonEvent,
  type EventDraft,
  itemTextLength,
  itemWithin,
  maxItemText,
  roomForText,
  SandboxError,
  type SessionState,
  textWithin,
} from "@sandbox-agent-ts/protocol";

type DraftOf<Type extends EventDraft["type"]> = Extract<EventDraft, { type: Type }>;

/** With so many items open at once no agent does anything sensible any more. */
const maxOpenItems = 1000;

/**
 * The delta with what is still kept of its text, which may be nothing. Its item is open; `roomInAll` is what the items of
 * all sessions may still hold.
 */
export function deltaWithin(
  state: SessionState,
  draft: DraftOf<"item.delta">,
  roomInAll: number,
): DraftOf<"item.delta"> {
  const open = state.openItems[draft.data.item_id];
  const room = Math.min(roomForText(state), roomInAll);
  const { delta } = draft.data;
  if (!open || draft.source === "daemon" || (delta.length <= room && open.dropped === 0)) return draft;
  const kept = open.dropped > 0 ? "" : textWithin(delta, room);
  return { ...draft, data: { ...draft.data, delta: kept } };
}

/** An item as it begins. Throws when too many are open. */
export function startWithin(state: SessionState, draft: DraftOf<"item.started">): EventDraft {
  const room = Math.max(0, roomForText(state));
  if (room === 0 && Object.keys(state.openItems).length >= maxOpenItems) throw tooManyOpen();
  const { item } = draft.data;
  if (draft.source === "daemon" || itemTextLength(item) <= room) return draft;
  return { ...draft, data: { item: itemWithin(item, room) } };
}

/** A completed item with what is kept of its text, and the notice that it was cut if it was. */
export function completionWithin(
  state: SessionState,
  draft: DraftOf<"item.completed">,
): { draft: EventDraft; notice?: EventDraft } {
  const { item } = draft.data;
  const open = state.openItems[item.item_id];
  const dropped = open?.dropped ?? 0;
  const length = itemTextLength(item);
  if (dropped === 0 && (length <= maxItemText || draft.source === "daemon")) return { draft };
  const room = dropped === 0 ? maxItemText : open!.deltas.reduce((sum, piece) => sum + piece.length, 0);
  // The user's own message is written whole, in one go; nothing of it is held.
  if (draft.source === "daemon" && length > room) return { draft };
  const cut = itemWithin(item, room);
  const lost = Math.max(dropped, length - itemTextLength(cut));
  return { draft: { ...draft, data: { item: cut } }, notice: cutNotice(item.item_id, lost) };
}

function cutNotice(itemId: string, dropped: number): EventDraft {
  const message =
    `An item had more text than there is room for (${maxItemText} characters in the open items of a session, less when ` +
    `many sessions stream at once): it was cut, and ${dropped} characters were dropped.`;
  return daemonEvent({
    type: "error",
    data: { message, code: "payload_too_large", details: { item_id: itemId, dropped } },
  });
}

function tooManyOpen(): SandboxError {
  return new SandboxError("stream_error", `The agent has more than ${maxOpenItems} items open; its turn was ended.`);
}
