import { appendText, type ContentPart } from "@sandbox-agent-ts/protocol";
import type { OpenCall } from "./claude-state.ts";
import type { Conversion, ItemShape } from "./conversion.ts";

/** Claude Code adds the plan to what the model wrote, so its arguments are known only when they are complete. */
const notStreamed = new Set(["ExitPlanMode"]);

const subagentTools = new Set(["Agent", "Task"]);

export function startCall(to: Conversion, callId: string, name: string, parentId?: string): string {
  const call = { name, input: {}, arguments: "", complete: false, ...(parentId === undefined ? {} : { parentId }) };
  const itemId = to.startItem(callShape(callId, call));
  to.calls.set(callId, { ...call, itemId });
  return itemId;
}

export function addArguments(to: Conversion, callId: string, piece: string): void {
  const call = to.calls.get(callId);
  if (!call || notStreamed.has(call.name)) return;
  to.delta(call.itemId, piece, callId);
  to.calls.set(callId, { ...call, arguments: appendText(call.arguments, piece) });
}

/** The model has finished writing the call; a subagent's call appears only now. */
export function completeCall(
  to: Conversion,
  block: { id: string; name: string; input: unknown },
  parentId?: string,
): void {
  if (!to.calls.has(block.id)) startCall(to, block.id, block.name, parentId);
  const call = to.calls.get(block.id) as OpenCall;
  const input = isRecord(block.input) ? block.input : {};
  const written = call.arguments === "" ? JSON.stringify(input) : call.arguments;
  if (call.arguments === "") to.delta(call.itemId, written, block.id);
  to.calls.set(block.id, { ...call, input, arguments: written, complete: true });
  if (subagentTools.has(block.name)) to.agents.set(block.id, call.itemId);
}

/** The stream was cut in the middle of the call: it is never made. */
export function tearCall(to: Conversion, callId: string): void {
  const call = to.calls.get(callId);
  if (call && !call.complete) closeCall(to, callId, call, "failed");
}

export function closeCall(to: Conversion, callId: string, call: OpenCall, status: "completed" | "failed"): void {
  to.calls.delete(callId);
  to.completeItem(call.itemId, callShape(callId, call), status);
}

function callShape(callId: string, call: Omit<OpenCall, "itemId">): ItemShape {
  const part: ContentPart = { type: "tool_call", name: call.name, arguments: call.arguments, call_id: callId };
  const { parentId } = call;
  return { kind: "tool_call", role: "assistant", content: [part], nativeId: callId, parentId };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
