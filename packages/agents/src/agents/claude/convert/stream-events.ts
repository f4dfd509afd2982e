import { appendText } from "@sandbox-agent-ts/protocol";
import type { Writable } from "../../../drafts/own-copies.ts";
import type { BlockDelta, ContentBlock, StreamEvent } from "../dialect.ts";
import type { OpenBlock } from "./claude-state.ts";
import { type Conversion, proseShape } from "./conversion.ts";
import { addArguments, startCall, tearCall } from "./tool-calls.ts";

/** Blocks as the model writes them; only the main conversation streams, subagents do not. */
export function takeStreamEvent(to: Conversion, event: StreamEvent): void {
  switch (event.type) {
    case "message_start":
      abandonBlocks(to);
      to.messageId = event.message.id;
      if (to.turn) to.turn = { ...to.turn, model: event.message.model ?? to.turn.model, retrying: null };
      break;
    case "content_block_start":
      to.blocks.set(event.index, openBlock(to, event.content_block));
      break;
    case "content_block_delta":
      addDelta(to, event.index, event.delta);
      break;
    case "content_block_stop":
      abandonBlock(to, event.index);
      break;
  }
}

/** What the model had written when its stream broke or was interrupted. */
export function abandonBlocks(to: Conversion): void {
  for (const index of [...to.blocks.keys()]) abandonBlock(to, index);
}

function openBlock(to: Conversion, block: ContentBlock): OpenBlock {
  switch (block.type) {
    case "text":
      return { kind: "text", itemId: null, text: "" };
    case "thinking":
      return { kind: "reasoning", itemId: null, text: "" };
    case "tool_use":
      return { kind: "tool", itemId: startCall(to, block.id, block.name), callId: block.id, text: "" };
    default:
      return { kind: "other", itemId: null, text: "" };
  }
}

function addDelta(to: Conversion, index: number, delta: BlockDelta): void {
  const block = to.blocks.get(index);
  if (block?.callId !== undefined && delta.partial_json) addArguments(to, block.callId, delta.partial_json);
  if (block?.kind === "text" && delta.text) addText(to, block, delta.text);
  if (block?.kind === "reasoning" && delta.thinking) addText(to, block, delta.thinking);
}

/** The item begins with its first character: models send empty blocks. */
function addText(to: Conversion, block: Writable<OpenBlock>, piece: string): void {
  const kind = block.kind === "text" ? "text" : "reasoning";
  block.itemId ??= to.startItem(proseShape(kind, "", { nativeId: to.messageId }));
  block.text = appendText(block.text, piece);
  to.delta(block.itemId, piece, to.messageId);
}

/**
 * The whole block comes before the end of its stream and closes its item. One that is still open then was never confirmed:
 * the stream was cut, and the model begins anew.
 */
function abandonBlock(to: Conversion, index: number): void {
  const block = to.blocks.get(index);
  to.blocks.delete(index);
  if (block?.callId !== undefined) tearCall(to, block.callId);
  else if (block?.itemId && (block.kind === "text" || block.kind === "reasoning")) {
    to.completeItem(block.itemId, proseShape(block.kind, block.text, { nativeId: to.messageId }), "failed");
  }
}
