import { type Json, object } from "../dialects/json.ts";
import { type AnswerPart, type ModelAnswer, type ToolPart, wholeOf } from "../dialects/model-answer.ts";
import { ampId } from "./amp-ids.ts";

const MAX_INPUT_TOKENS = 200_000;

/** One piece of an answer as the service streams it. */
export interface AmpChunk {
  readonly blockIndex: number;
  readonly block: Json;
}

export function chunksOf({ id, parts }: ModelAnswer): AmpChunk[] {
  return parts.flatMap((part, blockIndex) =>
    part.chunks.map((chunk) => ({ blockIndex, block: chunkBlock(id, part, chunk) })),
  );
}

function chunkBlock(id: string, part: AnswerPart, chunk: string): Json {
  if (part.kind === "text") return { type: "text", text: chunk };
  if (part.kind === "reasoning") return { type: "thinking", thinking: chunk };
  return {
    type: "tool_use",
    id: toolUseId(id, part),
    complete: false,
    inputPartialJSONDelta: { json: chunk },
  };
}

/** The blocks of the whole message. */
export function blocksOf({ id, parts }: ModelAnswer): Json[] {
  return parts.map((part) => wholeBlock(id, part));
}

function wholeBlock(id: string, part: AnswerPart): Json {
  const blockState = "complete";
  if (part.kind === "text") return { type: "text", text: wholeOf(part), blockState };
  if (part.kind === "reasoning") return { type: "thinking", thinking: wholeOf(part), signature: "", blockState };
  const { name, input } = part;
  return { type: "tool_use", id: toolUseId(id, part), name, complete: true, input: object(input), blockState };
}

/** What had been said of an answer when it was stopped: tool calls that never ran are left out. */
export function saidSoFar(chunks: readonly AmpChunk[]): Json[] {
  const said = new Map<string, string>();
  for (const { block } of chunks) {
    const kind = block.type as string;
    said.set(kind, `${said.get(kind) ?? ""}${(block.text ?? block.thinking ?? "") as string}`);
  }
  const [thinking, text] = [said.get("thinking"), said.get("text")];
  return [
    ...(thinking ? [{ type: "thinking", thinking, signature: "" }] : []),
    ...(text ? [{ type: "text", text }] : []),
  ];
}

/** Amp checks how ids look, so an id of the script becomes one that is made from it. */
function toolUseId(answerId: string, { id }: ToolPart): string {
  return ampId("TU", answerId, id);
}

/** `input` of the script counts the cached tokens too, Amp's `inputTokens` does not. */
export function usageOf({ usage, model }: ModelAnswer): Json {
  return {
    model,
    maxInputTokens: MAX_INPUT_TOKENS,
    inputTokens: Math.max(0, usage.input - usage.cached - usage.cacheWrite),
    outputTokens: usage.output,
    cacheCreationInputTokens: usage.cacheWrite,
    cacheReadInputTokens: usage.cached,
    totalInputTokens: usage.input,
  };
}
