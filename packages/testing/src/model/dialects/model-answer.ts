import type { ParsedStep, ScriptedToolCall, ScriptedUsage, StopReason } from "../script/model-step.ts";

/** A step made ready to be spoken in any dialect. */
export interface ModelAnswer {
  /** Unique and the same in every run: other ids of the answer are made from it. */
  readonly id: string;
  readonly model: string;
  readonly parts: readonly AnswerPart[];
  readonly stopReason: StopReason;
  readonly usage: AnswerUsage;
}

type AnswerUsage = { readonly [Figure in keyof ScriptedUsage]-?: number };

export type AnswerPart =
  | { readonly kind: "reasoning"; readonly chunks: readonly string[] }
  | { readonly kind: "text"; readonly chunks: readonly string[] }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      readonly namespace: string | undefined;
      readonly input: ScriptedToolCall["input"];
      /** The input, JSON unless it is freeform, in pieces. */
      readonly chunks: readonly string[];
    };

export type ToolPart = Extract<AnswerPart, { kind: "tool" }>;

const DEFAULT_CHUNK_SIZE = 24;
const DEFAULT_INPUT_TOKENS = 100;
const DEFAULT_OUTPUT_TOKENS = 10;

export function modelAnswer(step: ParsedStep, id: string, model: string): ModelAnswer {
  const calls = step.toolCalls ?? [];
  const size = step.chunkSize ?? DEFAULT_CHUNK_SIZE;
  const spoken = (["reasoning", "text"] as const).flatMap((kind) => {
    const chunks = typeof step[kind] === "string" ? inChunks(step[kind], size) : (step[kind] ?? []);
    return chunks.length > 0 ? [{ kind, chunks }] : [];
  });
  return {
    id,
    model,
    parts: [...spoken, ...calls.map((call, index) => toolPart(call, `${id}${index}`, size))],
    stopReason: step.stopReason ?? (calls.length > 0 ? "tool_use" : "end_turn"),
    usage: answerUsage(step.usage ?? {}),
  };
}

function answerUsage(usage: ScriptedUsage): AnswerUsage {
  const {
    input = DEFAULT_INPUT_TOKENS,
    output = DEFAULT_OUTPUT_TOKENS,
    cached = 0,
    cacheWrite = 0,
    reasoning = 0,
  } = usage;
  return { input, output, cached, cacheWrite, reasoning };
}

function toolPart(call: ScriptedToolCall, id: string, size: number): ToolPart {
  const { name, namespace, input } = call;
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { kind: "tool", id: call.id ?? `call_${id}`, name, namespace, input, chunks: inChunks(text, size) };
}

/** Cut between characters, never inside of one. */
function inChunks(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + size, text.length);
    if (isHighSurrogate(text, to - 1)) to++;
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

export function wholeOf(part: AnswerPart): string {
  return part.chunks.join("");
}
