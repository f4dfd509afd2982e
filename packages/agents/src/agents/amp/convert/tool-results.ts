import type { ContentPart } from "@sandbox-agent-ts/protocol";
import type { AmpToolResult } from "../dialect.ts";
import type { OpenCall } from "./amp-state.ts";
import type { Conversion } from "./conversion.ts";
import { fileParts } from "./file-parts.ts";
import { imageParts } from "./image-parts.ts";
import { isRecord, parsed, record } from "./json.ts";
import { closeCall } from "./tool-calls.ts";

/** Amp calls it a success when a rule refused a tool. */
const refusal = /^Tool rejected by plugin/;

export function takeToolResult(to: Conversion, block: AmpToolResult): void {
  const callId = block.tool_use_id;
  const call = to.calls.get(callId);
  if (!call) return;
  const text = block.content ?? "";
  const value = parsed(text);
  const failed = block.is_error === true || refusal.test(text) || (exitCodeOf(value) ?? 0) !== 0;
  const status = failed ? "failed" : "completed";
  closeCall(to, callId, call, status);
  const content: ContentPart[] = [
    { type: "tool_result", call_id: callId, output: outputOf(text, value) },
    ...commandParts(call, value),
    ...(failed ? [] : fileParts(call, value)),
    ...imageParts(to, callId, value),
  ];
  to.showItem({ kind: "tool_result", role: "tool", content, nativeId: callId }, status);
}

/** What a person wants to read: the output of a command, the texts of an MCP server; else the result as it is. */
function outputOf(text: string, value: unknown): string {
  if (typeof record(value).output === "string") return record(value).output as string;
  if (Array.isArray(value) && value.every((part) => isRecord(part) && typeof part.type === "string")) {
    return value.flatMap((part) => (part.type === "text" ? [String(part.text)] : [])).join("\n");
  }
  if (record(value).isImage === true) return "";
  return text;
}

function exitCodeOf(value: unknown): number | undefined {
  const { exitCode } = record(value);
  return typeof exitCode === "number" ? exitCode : undefined;
}

/** How a command ended; one that was stopped says why. */
function commandParts(call: OpenCall, value: unknown): ContentPart[] {
  const exit_code = exitCodeOf(value);
  if (exit_code === undefined) return [];
  const { stopReason } = record(value);
  const stopped = typeof stopReason === "string" ? { stop_reason: stopReason } : {};
  return [
    { type: "json", json: { command: String(call.input.command ?? call.input.cmd ?? ""), exit_code, ...stopped } },
  ];
}
