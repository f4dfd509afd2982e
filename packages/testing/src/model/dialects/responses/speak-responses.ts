import type { ScriptedError } from "../../script/model-step.ts";
import { type Frame, sse } from "../dialect.ts";
import { type Json, string } from "../json.ts";
import { type AnswerPart, type ModelAnswer, wholeOf } from "../model-answer.ts";
import { asksForCompaction, compactionItem } from "./compaction.ts";
import { isFreeform, responseItem, summaryPart, textPart } from "./response-item.ts";

type Speak = (type: string, data: Json, as?: "chunk" | "end") => Frame;

/** The events of a streamed response, numbered as `POST /v1/responses` numbers them. */
export function* streamResponses(answer: ModelAnswer, body: Json): Iterable<Frame> {
  const speak = numbered();
  const inProgress = { response: response(answer, "in_progress") };
  yield speak("response.created", inProgress);
  yield speak("response.in_progress", inProgress);
  if (asksForCompaction(body)) yield* streamWholeItem(speak, compactionItem(answer));
  else for (const [index, part] of answer.parts.entries()) yield* streamItem(speak, answer, part, index);
  const whole = wholeResponses(answer, body);
  yield speak(`response.${string(whole.status)}`, { response: whole }, "end");
}

export function wholeResponses(answer: ModelAnswer, body: Json): Json {
  const items = () => answer.parts.map((part, index) => responseItem(answer, part, index, "completed"));
  const output = asksForCompaction(body) ? [compactionItem(answer)] : items();
  const reason = incompleteReasons[answer.stopReason];
  const ending = reason === undefined ? {} : { incomplete_details: { reason } };
  const status = reason === undefined ? "completed" : "incomplete";
  return { ...response(answer, status), ...ending, output, usage: usage(answer) };
}

export function* failResponses(error: ScriptedError, answer: ModelAnswer): Iterable<Frame> {
  const failed = { code: error.type ?? "server_error", message: error.message ?? "Scripted failure" };
  yield numbered()("response.failed", { response: { ...response(answer, "failed"), error: failed } });
}

const incompleteReasons: Readonly<Record<string, string>> = {
  max_tokens: "max_output_tokens",
  refusal: "content_filter",
};

function numbered(): Speak {
  let sequence = 0;
  return (type, data, as) =>
    sse({ type, sequence_number: sequence++, ...data }, { event: type, ...(as === undefined ? {} : { as }) });
}

function* streamWholeItem(speak: Speak, item: Json): Iterable<Frame> {
  yield speak("response.output_item.added", { output_index: 0, item });
  yield speak("response.output_item.done", { output_index: 0, item });
}

function* streamItem(speak: Speak, answer: ModelAnswer, part: AnswerPart, index: number): Iterable<Frame> {
  const completed = responseItem(answer, part, index, "completed");
  const place = { item_id: string(completed.id), output_index: index };
  yield speak("response.output_item.added", {
    output_index: index,
    item: responseItem(answer, part, index, "in_progress"),
  });
  if (part.kind === "text") yield* streamText(speak, part, { ...place, content_index: 0 });
  else if (part.kind === "reasoning") yield* streamSummary(speak, part, { ...place, summary_index: 0 });
  else if (isFreeform(part)) yield* streamInput(speak, part, place, "response.custom_tool_call_input", "input");
  else yield* streamInput(speak, part, place, "response.function_call_arguments", "arguments");
  yield speak("response.output_item.done", { output_index: index, item: completed });
}

function* streamText(speak: Speak, part: AnswerPart, place: Json): Iterable<Frame> {
  const text = wholeOf(part);
  yield speak("response.content_part.added", { ...place, part: textPart("") });
  for (const delta of part.chunks)
    yield speak("response.output_text.delta", { ...place, delta, logprobs: [] }, "chunk");
  yield speak("response.output_text.done", { ...place, text, logprobs: [] });
  yield speak("response.content_part.done", { ...place, part: textPart(text) });
}

function* streamSummary(speak: Speak, part: AnswerPart, place: Json): Iterable<Frame> {
  const text = wholeOf(part);
  yield speak("response.reasoning_summary_part.added", { ...place, part: summaryPart("") });
  for (const delta of part.chunks) yield speak("response.reasoning_summary_text.delta", { ...place, delta }, "chunk");
  yield speak("response.reasoning_summary_text.done", { ...place, text });
  yield speak("response.reasoning_summary_part.done", { ...place, part: summaryPart(text) });
}

function* streamInput(
  speak: Speak,
  part: AnswerPart,
  place: Json,
  event: string,
  field: "input" | "arguments",
): Iterable<Frame> {
  for (const delta of part.chunks) yield speak(`${event}.delta`, { ...place, delta }, "chunk");
  yield speak(`${event}.done`, { ...place, [field]: wholeOf(part) });
}

function response(answer: ModelAnswer, status: string): Json {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    model: answer.model,
    output: [],
    parallel_tool_calls: true,
    usage: null,
  };
}

function usage({ usage: { input, output, cached, cacheWrite, reasoning } }: ModelAnswer): Json {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
