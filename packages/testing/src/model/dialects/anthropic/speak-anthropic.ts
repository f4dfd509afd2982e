import { type Frame, sse } from "../dialect.ts";
import type { Json } from "../json.ts";
import { type AnswerPart, type ModelAnswer, type ToolPart, wholeOf } from "../model-answer.ts";

/** The events of a streamed message, as `POST /v1/messages` with `stream: true` sends them. */
export function* streamAnthropic(answer: ModelAnswer): Iterable<Frame> {
  yield event({
    type: "message_start",
    message: { ...message(answer, []), stop_reason: null, usage: usage(answer, 1) },
  });
  for (const [index, part] of answer.parts.entries()) {
    yield event({ type: "content_block_start", index, content_block: emptyBlock(part) });
    if (index === 0) yield event({ type: "ping" });
    for (const chunk of chunksOf(part)) {
      yield event({ type: "content_block_delta", index, delta: deltaOf(part, chunk) }, "chunk");
    }
    if (part.kind === "reasoning") {
      yield event({
        type: "content_block_delta",
        index,
        delta: { type: "signature_delta", signature: signature(answer) },
      });
    }
    yield event({ type: "content_block_stop", index });
  }
  const { stopReason } = answer;
  yield event(
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    },
    "end",
  );
  yield event({ type: "message_stop" }, "end");
}

export function wholeAnthropic(answer: ModelAnswer): Json {
  return message(
    answer,
    answer.parts.map((part) => wholeBlock(part, answer)),
  );
}

export function event(data: Json & { type: string }, as?: "chunk" | "end"): Frame {
  return sse(data, { event: data.type, ...(as === undefined ? {} : { as }) });
}

function message(answer: ModelAnswer, content: readonly Json[]): Json {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content,
    stop_reason: answer.stopReason,
    stop_sequence: null,
    usage: usage(answer, answer.usage.output),
  };
}

/** Anthropic counts what the cache gave and took apart from the other input. */
function usage({ usage: { input, cached, cacheWrite } }: ModelAnswer, output: number): Json {
  return {
    input_tokens: Math.max(0, input - cached - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: "standard",
  };
}

function emptyBlock(part: AnswerPart): Json {
  if (part.kind === "text") return { type: "text", text: "" };
  if (part.kind === "reasoning") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id: part.id, name: part.name, input: {} };
}

function deltaOf(part: AnswerPart, chunk: string): Json {
  if (part.kind === "text") return { type: "text_delta", text: chunk };
  if (part.kind === "reasoning") return { type: "thinking_delta", thinking: chunk };
  return { type: "input_json_delta", partial_json: chunk };
}

function wholeBlock(part: AnswerPart, answer: ModelAnswer): Json {
  if (part.kind === "text") return { type: "text", text: wholeOf(part) };
  if (part.kind === "reasoning") return { type: "thinking", thinking: wholeOf(part), signature: signature(answer) };
  return { type: "tool_use", id: part.id, name: part.name, input: inputOf(part) };
}

/** There are no freeform tools here: their text becomes the field `input`. */
function inputOf({ input }: ToolPart): Json {
  return typeof input === "string" ? { input } : input;
}

function chunksOf(part: AnswerPart): readonly string[] {
  const isFreeform = part.kind === "tool" && typeof part.input === "string";
  return isFreeform ? [JSON.stringify(inputOf(part))] : part.chunks;
}

function signature({ id }: ModelAnswer): string {
  return Buffer.from(`signature of ${id}`).toString("base64");
}
