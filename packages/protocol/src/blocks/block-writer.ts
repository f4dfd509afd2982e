import { closeSlot, conversationState, nameByPlace, openSlot, placeBlock, uniqueName } from "./block-places.ts";
import type { BlockState, CallState, ItemState } from "./block-state.ts";
import type { BlockChange, BlockTextField, BlockUpdates, ConversationBlock } from "./conversation-block.ts";

type Place = Pick<ConversationBlock, "id" | "conversationId" | "timestamp">;
type Made<B> = B extends ConversationBlock ? Omit<B, keyof Place> : never;

/** Writes what happens to blocks: the changes, and what the state has of them. */
export class BlockWriter {
  readonly changes: BlockChange[] = [];
  readonly #state: BlockState;

  constructor(state: BlockState) {
    this.#state = state;
  }

  /** A block of an item, at the item's place. */
  start(item: ItemState, made: Made<ConversationBlock>): ConversationBlock {
    const { conversationId, slot, time, name } = item;
    const id = uniqueName(this.#state, `${name}:${shortName[made.type]}`);
    const block = { id, conversationId, timestamp: time, ...made } as ConversationBlock;
    const conversation = conversationState(this.#state, conversationId);
    const after = placeBlock(conversation, slot ?? openSlot(conversation), id);
    this.changes.push({ type: "start", conversationId, blockId: id, block, after });
    return block;
  }

  /** A block that no item is about, behind all others. Without a name it is called after its place. */
  startAlone(
    made: Made<ConversationBlock>,
    { conversationId, time, name }: { conversationId: string; time: string | null; name?: string },
  ): ConversationBlock {
    const conversation = conversationState(this.#state, conversationId);
    const full = name === undefined ? nameByPlace(conversation, made.type) : `${name}:${made.type}`;
    const id = uniqueName(this.#state, full);
    const block = { id, conversationId, timestamp: time, ...made } as ConversationBlock;
    const slot = openSlot(conversation);
    const after = placeBlock(conversation, slot, id);
    closeSlot(conversation, slot);
    this.changes.push({ type: "start", conversationId, blockId: id, block, after });
    return block;
  }

  grow<B extends ConversationBlock>(block: B, field: BlockTextField, delta: string): B {
    const { id: blockId, conversationId } = block;
    this.changes.push({ type: "delta", conversationId, blockId, field, delta });
    const before = (block as { [field in BlockTextField]?: string | null })[field] ?? "";
    return { ...block, [field]: before + delta };
  }

  /** Says nothing where nothing changes. */
  update<B extends ConversationBlock>(block: B, updates: BlockUpdates): B {
    const known = block as BlockUpdates;
    const isNew = Object.entries(updates).some(([key, value]) => known[key as keyof BlockUpdates] !== value);
    if (!isNew) return block;
    const { id: blockId, conversationId } = block;
    this.changes.push({ type: "update", conversationId, blockId, updates });
    return { ...block, ...updates };
  }

  complete(block: ConversationBlock): void {
    this.changes.push({ type: "complete", conversationId: block.conversationId, blockId: block.id, block });
  }

  /** It ended: with its result, or because nothing more can come. */
  completeCall(call: CallState, updates: BlockUpdates): void {
    if (call.isComplete) {
      call.block = this.update(call.block, updates);
      return;
    }
    call.block = { ...call.block, ...updates };
    call.isComplete = true;
    this.complete(call.block);
  }
}

const shortName: Readonly<Record<ConversationBlock["type"], string>> = {
  user_message: "message",
  assistant_text: "text",
  thinking: "thinking",
  system: "status",
  tool_use: "tool",
  permission: "permission",
  question: "question",
  error: "error",
};
