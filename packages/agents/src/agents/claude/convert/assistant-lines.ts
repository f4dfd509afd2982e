import type { AssistantLine, ContentBlock } from "../dialect.ts";
import { type Conversion, proseShape } from "./conversion.ts";
import { failureOf } from "./failures.ts";
import { completeCall } from "./tool-calls.ts";

/** Whole blocks: the end of a streamed one, or all there is of a subagent's. */
export function takeAssistant(to: Conversion, line: AssistantLine): void {
  if (line.is_api_error_message || line.error) {
    noteFailure(to, line);
    return;
  }
  const parentId = to.parentOf(line.parent_tool_use_id);
  const isMain = !line.parent_tool_use_id;
  for (const block of line.message.content) takeBlock(to, block, line, isMain, parentId);
}

/** Claude Code says an error of the model service as if the model had said it; the turn's end will tell it. */
function noteFailure(to: Conversion, line: AssistantLine): void {
  const text = line.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const failure = failureOf(line.error ?? "unknown", text, line.api_error_status ?? undefined);
  if (to.turn && !line.parent_tool_use_id) to.turn = { ...to.turn, failure };
}

function takeBlock(
  to: Conversion,
  block: ContentBlock,
  line: AssistantLine,
  isMain: boolean,
  parentId: string | undefined,
): void {
  if (block.type === "tool_use") completeCall(to, block, parentId);
  if (block.type === "text") takeProse(to, "text", block.text, line, isMain, parentId);
  if (block.type === "thinking") takeProse(to, "reasoning", block.thinking, line, isMain, parentId);
}

function takeProse(
  to: Conversion,
  kind: "text" | "reasoning",
  text: string,
  line: AssistantLine,
  isMain: boolean,
  parentId: string | undefined,
): void {
  const ids = { nativeId: line.message.id ?? line.uuid, parentId };
  const status = line.aborted ? "failed" : "completed";
  const open = isMain ? [...to.blocks].findLast(([, block]) => block.kind === kind) : undefined;
  if (open?.[1].itemId) {
    const [index, block] = open;
    to.blocks.delete(index);
    // What was streamed stands: the whole block may be trimmed.
    to.completeItem(block.itemId as string, proseShape(kind, block.text, ids), status);
    return;
  }
  if (open) to.blocks.delete(open[0]);
  if (text === "") return;
  const itemId = to.startItem(proseShape(kind, "", ids));
  to.delta(itemId, text, ids.nativeId);
  to.completeItem(itemId, proseShape(kind, text, ids), status);
}
