import type { ContentPart } from "@sandbox-agent-ts/protocol";
import type { OpenCall } from "./amp-state.ts";
import type { Conversion, ItemShape } from "./conversion.ts";
import { record } from "./json.ts";

/** The model has called a tool; it runs, or waits to be allowed, until its result comes. */
export function startCall(to: Conversion, block: { id: string; name: string; input?: unknown }): void {
  const input = record(block.input);
  const call = { name: block.name, input, arguments: JSON.stringify(input) };
  const itemId = to.startItem(callShape(block.id, { ...call, arguments: "" }));
  to.emit("item.delta", { item_id: itemId, native_item_id: block.id, delta: call.arguments });
  to.calls.set(block.id, { ...call, itemId });
}

export function closeCall(to: Conversion, callId: string, call: OpenCall, status: "completed" | "failed"): void {
  to.calls.delete(callId);
  to.completeItem(call.itemId, callShape(callId, call), status);
}

function callShape(callId: string, call: Pick<OpenCall, "name" | "arguments">): ItemShape {
  const part: ContentPart = { type: "tool_call", name: call.name, arguments: call.arguments, call_id: callId };
  return { kind: "tool_call", role: "assistant", content: [part], nativeId: callId };
}
