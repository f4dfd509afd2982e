import type { UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { applyToBlocks, type BlockEvent, settleBlocks } from "./apply-to-blocks.ts";
import { createBlockState } from "./block-state.ts";
import {
  type BlockChange,
  type BlockTextField,
  type ConversationBlock,
  mainConversation,
} from "./conversation-block.ts";

/** What a block takes beside its texts, roughly. */
const blockOverhead = 512;

/** The blocks of a session: those of the conversation with the user, and those of each subagent. */
export interface SessionBlocks {
  readonly blocks: readonly ConversationBlock[];
  /** In the order in which their first blocks were told. */
  readonly subagents: readonly SubagentBlocks[];
}

export interface SubagentBlocks {
  /** The `conversationId` of its blocks, and the `subagentId` of the block that started it. */
  readonly id: string;
  readonly blocks: readonly ConversationBlock[];
}

/**
 * The blocks that changes add up to. Blocks are never changed, but replaced. With a `maxSize` (characters of text and about
 * 500 for each block) the oldest are dropped when there are more.
 */
export class ConversationBlocks {
  readonly #conversations = new Map<string, ConversationBlock[]>([[mainConversation, []]]);
  /** The conversations of all blocks, in the order in which they were started. */
  #order: string[] = [];
  readonly #maxSize: number;
  #size = 0;
  #dropped = 0;

  constructor({ maxSize = Number.POSITIVE_INFINITY }: { readonly maxSize?: number } = {}) {
    this.#maxSize = maxSize;
  }

  /** Go on from what is there, as a state says it. */
  static from({ blocks, subagents }: SessionBlocks): ConversationBlocks {
    const made = new ConversationBlocks();
    for (const conversation of [blocks, ...subagents.map((subagent) => subagent.blocks)]) {
      let after: string | null = null;
      for (const block of conversation) {
        made.apply({ type: "start", conversationId: block.conversationId, blockId: block.id, block, after });
        after = block.id;
      }
    }
    return made;
  }

  /** How many blocks were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Take the next change. */
  apply(change: BlockChange): void {
    const blocks = this.#blocksOf(change.conversationId);
    if (change.type === "start") this.#start(blocks, change.block, change.after);
    else this.#replace(blocks, change);
    if (this.#size > this.#maxSize) this.#dropOldest();
  }

  /** All blocks as they are now. */
  result(): SessionBlocks {
    const subagents = [...this.#conversations].flatMap(([id, blocks]) =>
      id === mainConversation || blocks.length === 0 ? [] : [{ id, blocks: [...blocks] }],
    );
    return { blocks: [...this.#blocksOf(mainConversation)], subagents };
  }

  #blocksOf(conversationId: string): ConversationBlock[] {
    const known = this.#conversations.get(conversationId);
    if (known) return known;
    const made: ConversationBlock[] = [];
    this.#conversations.set(conversationId, made);
    return made;
  }

  #start(blocks: ConversationBlock[], block: ConversationBlock, after: string | null): void {
    const at = after === null ? -1 : blocks.findLastIndex(({ id }) => id === after);
    blocks.splice(at + 1, 0, block);
    this.#order.push(block.conversationId);
    this.#size += sizeOf(block);
  }

  #replace(blocks: ConversationBlock[], change: Exclude<BlockChange, { type: "start" }>): void {
    const at = blocks.findLastIndex(({ id }) => id === change.blockId);
    const before = blocks[at];
    if (!before) return;
    const after = changed(before, change);
    blocks[at] = after;
    this.#size += change.type === "delta" ? change.delta.length : sizeOf(after) - sizeOf(before);
  }

  /** More than needed, so that it is not done for every block. */
  #dropOldest(): void {
    const counts = new Map<string, number>();
    let gone = 0;
    while (this.#size > this.#maxSize * 0.9 && gone < this.#order.length - 1) {
      const id = this.#order[gone]!;
      const count = counts.get(id) ?? 0;
      this.#size -= sizeOf(this.#blocksOf(id)[count]!);
      counts.set(id, count + 1);
      gone += 1;
    }
    for (const [id, count] of counts) this.#blocksOf(id).splice(0, count);
    this.#order = this.#order.slice(gone);
    this.#dropped += gone;
  }
}

function changed(block: ConversationBlock, change: Exclude<BlockChange, { type: "start" }>): ConversationBlock {
  switch (change.type) {
    case "delta": {
      const before = (block as { readonly [field in BlockTextField]?: string | null })[change.field] ?? "";
      return { ...block, [change.field]: before + change.delta };
    }
    case "update":
      return { ...block, ...change.updates } as ConversationBlock;
    case "complete":
      return change.block;
  }
}

function sizeOf(block: ConversationBlock): number {
  if (block.type === "permission" || block.type === "question")
    return blockOverhead + JSON.stringify(block.request).length;
  if (block.type === "error") return blockOverhead + block.message.length;
  const text = block.type === "tool_use" ? block.input.length + (block.output?.length ?? 0) : block.text.length;
  return blockOverhead + text + (block.attachments.length === 0 ? 0 : JSON.stringify(block.attachments).length);
}

/** The blocks of a log, or of a part of it from its beginning. */
export function blocksOfEvents(events: Iterable<UniversalEvent | BlockEvent>): SessionBlocks {
  const state = createBlockState();
  const blocks = new ConversationBlocks();
  for (const event of events) for (const change of applyToBlocks(state, event)) blocks.apply(change);
  return blocks.result();
}

/** What a transcript tells of an item, in the order in which it was told. */
export type ItemTold = Extract<BlockEvent, { type: "item.started" | "item.completed" }>;

/** The blocks of a conversation that a transcript tells and that does not go on. */
export function blocksOfTranscript(told: Iterable<ItemTold>): SessionBlocks {
  const state = createBlockState();
  const blocks = new ConversationBlocks();
  for (const event of told) for (const change of applyToBlocks(state, event)) blocks.apply(change);
  for (const change of settleBlocks(state)) blocks.apply(change);
  return blocks.result();
}

/** The blocks of completed items, in the order in which they began, as `Transcript.items` has them. They have no times. */
export function blocksOfItems(items: Iterable<UniversalItem>): SessionBlocks {
  return blocksOfTranscript(told(items));
}

function* told(items: Iterable<UniversalItem>): Generator<ItemTold> {
  for (const item of items) yield { type: "item.completed", data: { item }, time: null };
}
