import type { Json } from "../json.ts";
import { type AnswerPart, type ModelAnswer, type ToolPart, wholeOf } from "../model-answer.ts";

export type ItemStatus = "in_progress" | "completed";

/** A part of an answer as an item of `response.output`: empty while in progress, whole when completed. */
export function responseItem(answer: ModelAnswer, part: AnswerPart, index: number, status: ItemStatus): Json {
  const whole = status === "completed" ? wholeOf(part) : "";
  const id = `${prefixOf(part)}_${answer.id}${index}`;
  if (part.kind === "text") {
    const content = status === "completed" ? [textPart(whole)] : [];
    return { id, type: "message", status, role: "assistant", content };
  }
  if (part.kind === "reasoning") {
    const summary = status === "completed" ? [summaryPart(whole)] : [];
    return { id, type: "reasoning", summary, encrypted_content: Buffer.from(id).toString("base64") };
  }
  return { id, ...toolItem(part, whole), status, call_id: part.id, name: part.name, ...namespaceOf(part) };
}

export function isFreeform(part: ToolPart): boolean {
  return typeof part.input === "string";
}

export function textPart(text: string): Json {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function summaryPart(text: string): Json {
  return { type: "summary_text", text };
}

function toolItem(part: ToolPart, whole: string): Json {
  return isFreeform(part) ? { type: "custom_tool_call", input: whole } : { type: "function_call", arguments: whole };
}

function namespaceOf({ namespace }: ToolPart): Json {
  return namespace === undefined ? {} : { namespace };
}

function prefixOf(part: AnswerPart): string {
  if (part.kind === "text") return "msg";
  if (part.kind === "reasoning") return "rs";
  return isFreeform(part) ? "ctc" : "fc";
}
