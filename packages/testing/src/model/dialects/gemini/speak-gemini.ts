import { type Frame, sse } from "../dialect.ts";
import type { Json } from "../json.ts";
import { type AnswerPart, type ModelAnswer, wholeOf } from "../model-answer.ts";

/** Each chunk is a response of its own that holds the new parts; a function call is never split. */
export function* streamGemini(answer: ModelAnswer): Iterable<Frame> {
  for (const part of answer.parts) {
    const pieces = part.kind === "tool" ? [wholeOf(part)] : part.chunks;
    for (const piece of pieces) yield sse(response(answer, [partOf(part, piece)]), { as: "chunk" });
  }
  yield sse(finished(answer, [{ text: "" }]), { as: "end" });
}

export function wholeGemini(answer: ModelAnswer): Json {
  return finished(
    answer,
    answer.parts.map((part) => partOf(part, wholeOf(part))),
  );
}

const finishReasons = { end_turn: "STOP", tool_use: "STOP", max_tokens: "MAX_TOKENS", refusal: "SAFETY" };

function finished(answer: ModelAnswer, parts: readonly Json[]): Json {
  return response(answer, parts, { finishReason: finishReasons[answer.stopReason] });
}

function response(answer: ModelAnswer, parts: readonly Json[], ending: Json = {}): Json {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...ending }],
    usageMetadata: usage(answer),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function partOf(part: AnswerPart, piece: string): Json {
  if (part.kind === "text") return { text: piece };
  if (part.kind === "reasoning") return { text: piece, thought: true };
  const args = typeof part.input === "string" ? { input: part.input } : part.input;
  return { functionCall: { id: part.id, name: part.name, args } };
}

/** Gemini counts the thoughts apart from the other output. */
function usage({ usage: { input, output, cached, reasoning } }: ModelAnswer): Json {
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - reasoning),
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  };
}
