import type { Usage } from "@sandbox-agent-ts/protocol";
import type { CodexParams, CodexTokens } from "../dialect.ts";
import type { ThreadUsage } from "./codex-state.ts";

const fields = [
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "cacheWriteInputTokens",
  "reasoningOutputTokens",
] as const;

/**
 * The server counts for the whole thread, after every answer of the model. The first report of a turn tells with `last`
 * what there was before it.
 */
export function addReport(known: ThreadUsage | undefined, { total, last }: NonNullable<CodexParams["tokenUsage"]>) {
  const now = total ?? {};
  return { before: known?.before ?? combine(now, last ?? now, (all, recent) => all - recent), now };
}

/** Of all threads together, or nothing when no thread has told. */
export function turnUsage(threads: Iterable<ThreadUsage>): Usage | undefined {
  let sum: CodexTokens | undefined;
  for (const { before, now } of threads) {
    const spent = combine(now, before, (after, earlier) => Math.max(0, after - earlier));
    sum = combine(sum ?? {}, spent, (a, b) => a + b);
  }
  if (!sum) return undefined;
  return {
    input_tokens: sum.inputTokens ?? 0,
    output_tokens: sum.outputTokens ?? 0,
    cached_input_tokens: sum.cachedInputTokens ?? 0,
    cache_write_tokens: sum.cacheWriteInputTokens ?? 0,
    reasoning_tokens: sum.reasoningOutputTokens ?? 0,
  };
}

function combine(a: CodexTokens, b: CodexTokens, join: (a: number, b: number) => number): CodexTokens {
  return Object.fromEntries(fields.map((name) => [name, join(a[name] ?? 0, b[name] ?? 0)]));
}

export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  const sum = (name: keyof Usage) => (a[name] ?? 0) + (b[name] ?? 0);
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cached_input_tokens: sum("cached_input_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
  };
}
