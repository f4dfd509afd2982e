import type { UniversalItem } from "../universal-item.ts";
import { type ConversationBlock, mainConversation, type ToolUseBlock } from "./conversation-block.ts";

/**
 * What has to be remembered of the events so far to make blocks of the next one: names that are taken, and what is being
 * written or was said since the user's last message. Not the text of what is finished. Can be copied with `structuredClone`.
 */
export interface BlockState {
  /** The last event that was taken. */
  sequence: number;
  /** Names that are taken, with the number that the last one of that name got. */
  readonly names: Map<string, number>;
  readonly conversations: Map<string, ConversationState>;
  /** Items since the user's last message, those that are open, and those that run a subagent. */
  readonly items: Map<string, ItemState>;
  /** Calls since the user's last message and those without a result, by the agent's id. */
  readonly calls: Map<string, CallState>;
  /** What nobody has decided yet. */
  readonly requests: Map<string, ConversationBlock>;
  itemCount: number;
  /** The last error of this turn: its end says it once more. */
  lastError: string | null;
}

export interface ConversationState {
  /** What the names of nameless things begin with. */
  anchor: string;
  /** How many nameless things of a kind there were behind the anchor. */
  counts: Map<string, number>;
  userMessages: number;
  /** The places of items and requests, from the oldest open one on. */
  readonly slots: Slot[];
  /** The last block before the first slot. */
  before: string | null;
}

export interface Slot {
  /** The last block that stands here. */
  last: string | null;
  open: boolean;
}

export interface ItemState {
  readonly name: string;
  readonly order: number;
  readonly conversationId: string;
  readonly time: string | null;
  readonly slot: Slot | null;
  /** The conversation of the items under it. */
  host: string | null;
  /** As it was started; null once it is completed. */
  item: UniversalItem | null;
  /** Without their texts once the item is completed. */
  blocks: ConversationBlock[];
  hasDeltas: boolean;
  /** The call whose output its text is. */
  outputOf: string | null;
}

export interface CallState {
  block: ToolUseBlock;
  /** The item of the call is completed. */
  hasEnded: boolean;
  /** The item that the result is from, by its order. */
  resultOrder: number;
  isComplete: boolean;
  /** What is shown of its output is from this item. */
  outputFrom: number | null;
}

/** The state before the first event. */
export function createBlockState(): BlockState {
  return {
    sequence: 0,
    names: new Map([[mainConversation, 1]]),
    conversations: new Map(),
    items: new Map(),
    calls: new Map(),
    requests: new Map(),
    itemCount: 0,
    lastError: null,
  };
}
