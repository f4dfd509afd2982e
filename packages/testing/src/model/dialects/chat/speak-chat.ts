import { type Frame, sse } from "../dialect.ts";
import { type Json, object } from "../json.ts";
import { type AnswerPart, type ModelAnswer, type ToolPart, wholeOf } from "../model-answer.ts";

/** The chunks of `POST /v1/chat/completions` with `stream: true`; the figures come only to those who ask for them. */
export function* streamChat(answer: ModelAnswer, body: Json): Iterable<Frame> {
  const delta = (fields: Json, as?: "chunk"): Frame =>
    sse(chunk(answer, [{ index: 0, delta: fields, finish_reason: null }]), as === undefined ? {} : { as });
  yield delta({ role: "assistant", content: "" });
  const tools = toolsOf(answer);
  for (const part of answer.parts) {
    const index = part.kind === "tool" ? tools.indexOf(part) : 0;
    if (part.kind === "tool") yield delta({ tool_calls: [{ index, ...toolCall(part, "") }] });
    for (const piece of part.chunks) yield delta(pieceOf(part, index, piece), "chunk");
  }
  yield sse(chunk(answer, [{ index: 0, delta: {}, finish_reason: finishReasons[answer.stopReason] }]), { as: "end" });
  if (object(body.stream_options).include_usage === true) {
    yield sse({ ...chunk(answer, []), usage: usage(answer) }, { as: "end" });
  }
  yield sse("[DONE]", { as: "end" });
}

export function wholeChat(answer: ModelAnswer): Json {
  const textOf = (kind: AnswerPart["kind"]): string | null => {
    const parts = answer.parts.filter((part) => part.kind === kind);
    return parts.length > 0 ? parts.map(wholeOf).join("") : null;
  };
  const calls = toolsOf(answer).map((part) => toolCall(part, wholeOf(part)));
  const message = {
    role: "assistant",
    content: textOf("text"),
    ...(textOf("reasoning") === null ? {} : { reasoning_content: textOf("reasoning") }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...chunk(answer, [{ index: 0, message, finish_reason: finishReasons[answer.stopReason] }]),
    object: "chat.completion",
    usage: usage(answer),
  };
}

const finishReasons = { end_turn: "stop", tool_use: "tool_calls", max_tokens: "length", refusal: "content_filter" };

function chunk(answer: ModelAnswer, choices: readonly Json[]): Json {
  return { id: `chatcmpl-${answer.id}`, object: "chat.completion.chunk", created: 0, model: answer.model, choices };
}

function toolsOf(answer: ModelAnswer): ToolPart[] {
  return answer.parts.filter((part) => part.kind === "tool");
}

function toolCall(part: ToolPart, input: string): Json {
  return typeof part.input === "string"
    ? { id: part.id, type: "custom", custom: { name: part.name, input } }
    : { id: part.id, type: "function", function: { name: part.name, arguments: input } };
}

function pieceOf(part: AnswerPart, index: number, piece: string): Json {
  if (part.kind === "text") return { content: piece };
  if (part.kind === "reasoning") return { reasoning_content: piece };
  const call = typeof part.input === "string" ? { custom: { input: piece } } : { function: { arguments: piece } };
  return { tool_calls: [{ index, ...call }] };
}

function usage({ usage: { input, output, cached, reasoning } }: ModelAnswer): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
