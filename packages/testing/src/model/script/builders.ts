import type { ModelStep } from "./model-step.ts";

type ErrorOf<Step> = Step extends { error?: infer E } ? NonNullable<E> : never;
type ScriptError = ErrorOf<ModelStep>;

export function say(text: string | string[]): ModelStep {
  return { text };
}

export function think(reasoning: string | string[]): ModelStep {
  return { reasoning };
}

/** A string as input makes it a freeform call. */
export function callTool(name: string, input: Record<string, unknown> | string = {}, id?: string): ModelStep {
  return { toolCalls: [{ name, input, ...(id === undefined ? {} : { id }) }] };
}

/** An HTTP error, or with "in-stream" one that arrives after the answer has begun. */
export function fail(status: number | "in-stream", error: Omit<ScriptError, "status"> = {}): ModelStep {
  return { error: { ...error, ...(status === "in-stream" ? {} : { status }) } };
}

/** The connection breaks after so many chunks. */
export function cut(afterChunks: number | true = 0): ModelStep {
  return { cut: afterChunks };
}

/** The model falls silent after so many chunks, or after all it has to say. */
export function hang(afterChunks: number | true = true): ModelStep {
  return { hang: afterChunks };
}

/** One step from several parts: `step(think("hm"), say("Let me look."), callTool("Bash", …), callTool("Read", …))`. */
export function step(...parts: readonly ModelStep[]): ModelStep {
  const toolCalls = parts.flatMap((part) => part.toolCalls ?? []);
  return Object.assign({}, ...parts, toolCalls.length > 0 ? { toolCalls } : {});
}
