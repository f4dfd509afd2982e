import type { ToolCallPart, ToolResultPart } from "../content-part.ts";
import type { ItemDeltaData } from "../event-data.ts";
import type { EventPayload } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { closeSlot, conversationState, nameItem, openSlot, uniqueName } from "./block-places.ts";
import type { BlockState, CallState, ItemState } from "./block-state.ts";
import { BlockWriter } from "./block-writer.ts";
import type {
  BlockAttachment,
  BlockChange,
  BlockUpdates,
  ConversationBlock,
  SystemBlock,
  ToolUseBlock,
} from "./conversation-block.ts";
import { mainConversation } from "./conversation-block.ts";
import { itemPieces, type ProsePiece } from "./item-pieces.ts";
import { resolveRequest, startRequest } from "./request-blocks.ts";

/** An event of a log, or what a transcript tells, which has no number and may have no time. */
export type BlockEvent = EventPayload & { readonly sequence?: number; readonly time: string | null };

/**
 * What the next event of a session changes in its blocks, in order. Takes it into the state, in place; an event that was
 * taken before changes nothing. Nothing but the events decides what comes out.
 */
export function applyToBlocks(state: BlockState, event: BlockEvent): BlockChange[] {
  if (event.sequence !== undefined) {
    if (event.sequence <= state.sequence) return [];
    state.sequence = event.sequence;
  }
  const projection = new Projection(state);
  projection.apply(event);
  return projection.write.changes;
}

/** Nothing more follows: calls of which no result came have ended, and nobody says that they succeeded. */
export function settleBlocks(state: BlockState): BlockChange[] {
  const projection = new Projection(state);
  projection.settle();
  return projection.write.changes;
}

class Projection {
  readonly write: BlockWriter;
  readonly #state: BlockState;

  constructor(state: BlockState) {
    this.#state = state;
    this.write = new BlockWriter(state);
  }

  apply(event: BlockEvent): void {
    const { time } = event;
    switch (event.type) {
      case "item.started":
        this.#startItem(event.data.item, time);
        break;
      case "item.delta":
        this.#growItem(event.data);
        break;
      case "item.completed":
        this.#completeItem(event.data.item, time);
        break;
      case "permission.requested":
      case "question.requested":
        startRequest(this.#state, this.write, event);
        break;
      case "permission.resolved":
        resolveRequest(this.#state, this.write, event);
        if (event.data.status === "approved") this.#run(event.data.call_id ?? "");
        break;
      case "question.resolved":
        resolveRequest(this.#state, this.write, event);
        break;
      case "error":
        this.#showError(event.data, time);
        break;
      case "turn.started":
        this.#state.lastError = null;
        break;
      case "turn.ended":
        this.settle();
        if (event.data.metadata.reason === "error") this.#showEnd(event.data.metadata.message, time);
        break;
      case "session.ended":
        this.settle();
        if (event.data.reason === "error") this.#showEnd(event.data.message, time);
        break;
    }
  }

  settle(): void {
    for (const call of this.#state.calls.values()) {
      if (call.isComplete || !call.hasEnded) continue;
      this.write.completeCall(call, { status: "error" });
    }
  }

  #startItem(item: UniversalItem, time: string | null): ItemState {
    const known = this.#state.items.get(item.item_id);
    if (known) return known;
    const call = this.#callShown(item);
    const conversationId = call?.block.conversationId ?? this.#conversationOf(item);
    const isUsers = item.kind === "message" && item.role === "user";
    if (isUsers && conversationId === mainConversation) this.#forgetFinished();
    const conversation = conversationState(this.#state, conversationId);
    const started: ItemState = {
      name: call ? "" : nameItem(this.#state, conversationId, item),
      order: ++this.#state.itemCount,
      conversationId,
      time,
      slot: call ? null : openSlot(conversation),
      host: null,
      item,
      blocks: [],
      hasDeltas: false,
      outputOf: call?.block.callId ?? null,
    };
    this.#state.items.set(item.item_id, started);
    if (call) this.#run(call.block.callId);
    else this.#show(started, item);
    return started;
  }

  /** The call whose output so far the item shows. */
  #callShown({ kind, role, parent_id }: UniversalItem): CallState | undefined {
    if (kind !== "status" || role !== "tool" || !parent_id) return undefined;
    const block = this.#state.items.get(parent_id)?.blocks.findLast(({ type }) => type === "tool_use");
    const call = block?.type === "tool_use" ? this.#state.calls.get(block.callId) : undefined;
    return call?.block.id === block?.id ? call : undefined;
  }

  /** The user says something new: what is finished is only remembered where more may come of it. */
  #forgetFinished(): void {
    this.settle();
    const { items, calls } = this.#state;
    for (const [id, { item, host }] of items) if (item === null && host === null) items.delete(id);
    for (const [id, { isComplete }] of calls) if (isComplete) calls.delete(id);
  }

  #conversationOf({ parent_id }: UniversalItem): string {
    if (!parent_id) return mainConversation;
    const parent = this.#state.items.get(parent_id) ?? this.#unknownParent(parent_id);
    parent.host ??= this.#makeHost(parent);
    return parent.host;
  }

  #makeHost(parent: ItemState): string {
    const subagentId = parent.name;
    parent.blocks = parent.blocks.map((block) => {
      if (block.type === "system") return this.write.update<SystemBlock>(block, { subagentId });
      return block.type === "tool_use" ? this.#changeCall(block, { subagentId }) : block;
    });
    for (const block of parent.blocks) if (block.type === "tool_use") this.#run(block.callId);
    return subagentId;
  }

  #unknownParent(itemId: string): ItemState {
    const parent: ItemState = {
      name: uniqueName(this.#state, itemId),
      order: 0,
      conversationId: mainConversation,
      time: null,
      slot: null,
      host: null,
      item: null,
      blocks: [],
      hasDeltas: false,
      outputOf: null,
    };
    this.#state.items.set(itemId, parent);
    return parent;
  }

  /** Make the item's blocks what its content says; those that are not there yet begin. */
  #show(state: ItemState, item: UniversalItem): void {
    const { prose, calls, results, attachments } = itemPieces(item);
    const left = [...state.blocks];
    const shown = prose.map((piece) => this.#showProse(state, piece, left));
    const called = calls.map((part) => this.#showCall(state, part, left, attachments));
    const unsaid = left.map((block) => ("text" in block ? { ...block, text: "" } : block));
    state.blocks = [...unsaid, ...shown, ...called];
    for (const part of results) this.#showResult(state, part);
  }

  #showProse(state: ItemState, piece: ProsePiece, left: ConversationBlock[]): ConversationBlock {
    const at = left.findIndex((block) => block.type === piece.type);
    const [known] = at < 0 ? [] : left.splice(at, 1);
    return known ? ({ ...known, ...piece } as ConversationBlock) : this.write.start(state, piece);
  }

  #showCall(
    state: ItemState,
    { call_id: callId, name, arguments: input }: ToolCallPart,
    left: ConversationBlock[],
    attachments: readonly BlockAttachment[],
  ): ToolUseBlock {
    const at = left.findIndex((block) => block.type === "tool_use");
    const [known] = at < 0 ? [] : left.splice(at, 1);
    if (known?.type === "tool_use") return this.#changeCall(known, { name, input });
    const made = { type: "tool_use", callId, name, input, status: "pending", output: null, attachments } as const;
    const block = this.write.start(state, made) as ToolUseBlock;
    this.#state.calls.set(callId, { block, hasEnded: false, resultOrder: 0, isComplete: false, outputFrom: null });
    return block;
  }

  #showResult(state: ItemState, { call_id }: ToolResultPart): CallState | undefined {
    const call = this.#state.calls.get(call_id) ?? this.#unknownCall(state, call_id);
    if (!call || call.resultOrder > state.order) return undefined;
    call.resultOrder = state.order;
    state.outputOf = call_id;
    this.#run(call_id);
    return call;
  }

  /** A result whose call is not in the log, which may begin in the middle of a conversation. */
  #unknownCall(state: ItemState, callId: string): CallState | undefined {
    if (this.#state.names.has(`${callId}:tool`)) return undefined;
    const name = uniqueName(this.#state, callId);
    this.#showCall({ ...state, name }, { type: "tool_call", call_id: callId, name: "", arguments: "" }, [], []);
    return this.#state.calls.get(callId);
  }

  #growItem({ item_id, delta, part }: ItemDeltaData): void {
    const state = this.#state.items.get(item_id);
    if (!state?.item) return;
    const isFirst = !state.hasDeltas;
    state.hasDeltas = true;
    if (state.outputOf !== null) {
      this.#growOutput(state, delta);
      return;
    }
    const at = state.blocks.findLastIndex(({ type }) => type !== "tool_use");
    const target = state.blocks[at] ?? state.blocks.at(-1);
    if (target?.type === "tool_use") this.#growInput(target, delta, isFirst);
    else if (target) state.blocks[at] = this.#growProse(target, delta, isFirst);
    else if (state.item.kind === "message")
      this.#startProse(state, delta, part === "reasoning" ? "thinking" : "assistant_text");
  }

  #startProse(state: ItemState, delta: string, type: "assistant_text" | "thinking"): void {
    const block = this.write.start(state, { type, text: "", attachments: [] });
    state.blocks.push(this.write.grow(block, "text", delta));
  }

  /** Deltas spell a text from its beginning: what it began with was only a promise. */
  #growProse(block: ConversationBlock, delta: string, isFirst: boolean): ConversationBlock {
    const isReplaced = isFirst && block.type !== "system" && "text" in block && block.text !== "";
    return isReplaced ? this.write.update(block, { text: delta }) : this.write.grow(block, "text", delta);
  }

  #growInput(block: ToolUseBlock, delta: string, isFirst: boolean): void {
    const call = this.#state.calls.get(block.callId);
    if (call?.block.id !== block.id || call.isComplete) return;
    const isReplaced = isFirst && call.block.input !== "";
    call.block = isReplaced
      ? this.write.update(call.block, { input: delta })
      : this.write.grow(call.block, "input", delta);
  }

  #growOutput(state: ItemState, delta: string): void {
    const call = this.#state.calls.get(state.outputOf ?? "");
    if (!call || call.resultOrder > state.order || call.isComplete) return;
    const goesOn = call.outputFrom === state.order || call.block.output === null;
    call.outputFrom = state.order;
    call.block = goesOn
      ? this.write.grow(call.block, "output", delta)
      : this.write.update(call.block, { output: delta });
  }

  #completeItem(item: UniversalItem, time: string | null): void {
    const state = this.#startItem(item, time);
    if (state.item === null) return;
    state.item = null;
    if (state.slot === null) return;
    this.#show(state, item);
    for (const block of state.blocks) {
      if (block.type === "tool_use") this.#endCall(block, item.status);
      else this.write.complete(block);
    }
    this.#endResults(state, item);
    closeSlot(conversationState(this.#state, state.conversationId), state.slot);
    state.blocks = state.blocks.map(withoutText);
  }

  #endResults(state: ItemState, item: UniversalItem): void {
    const { results, attachments } = itemPieces(item);
    const status = item.status === "failed" ? "error" : "success";
    for (const part of results) {
      const call = this.#showResult(state, part);
      const more = attachments.length > 0 ? { attachments } : {};
      if (call) this.write.completeCall(call, { status, output: part.output, ...more });
    }
  }

  /** The item of a call ends when the call is written or when the tool has ended; only a result says that all went well. */
  #endCall(block: ToolUseBlock, status: UniversalItem["status"]): void {
    const call = this.#state.calls.get(block.callId);
    if (call?.block.id !== block.id || call.isComplete) return;
    call.hasEnded = true;
    call.block = this.write.update(call.block, { status: status === "failed" ? "error" : "running" });
  }

  #run(callId: string): void {
    const call = this.#state.calls.get(callId);
    if (call) call.block = this.write.update(call.block, running(call.block));
  }

  #changeCall(block: ToolUseBlock, updates: BlockUpdates): ToolUseBlock {
    const call = this.#state.calls.get(block.callId);
    if (call?.block.id !== block.id) return this.write.update(block, updates);
    call.block = this.write.update(call.block, updates);
    return call.block;
  }

  #showError({ message, code }: { message: string; code?: string | null | undefined }, time: string | null): void {
    this.#state.lastError = message;
    const made = { type: "error", message, ...(code ? { code } : {}) } as const;
    this.write.complete(this.write.startAlone(made, { conversationId: mainConversation, time }));
  }

  /** Mostly an error said it before. */
  #showEnd(message: string | null | undefined, time: string | null): void {
    if (message && message !== this.#state.lastError) this.#showError({ message }, time);
  }
}

function running({ status }: ToolUseBlock): { status?: "running" } {
  return status === "pending" ? { status: "running" } : {};
}

/** What is finished is only known by its id. */
function withoutText(block: ConversationBlock): ConversationBlock {
  if (block.type === "tool_use") return { ...block, input: "", output: null, attachments: [] };
  return "text" in block ? { ...block, text: "", attachments: [] } : block;
}
