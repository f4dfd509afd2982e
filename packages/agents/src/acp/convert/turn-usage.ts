import type { Cost, Usage } from "@sandbox-agent-ts/protocol";
import { costOf } from "../../costs/cost-of.ts";
import type { AcpPromptResult, AcpTokens } from "../dialect.ts";
import type { AcpState, TurnState } from "./acp-state.ts";

type Numbers = Readonly<Record<string, unknown>>;

/** Where agents tell their tokens: the answer to the prompt, or something of their own beside it. */
export function toldTokens(
  { usage, _meta }: AcpPromptResult,
  { turn: { tokens }, endedCalls, setting: { quirks } }: AcpState,
): AcpTokens | undefined {
  const ofAnswer = usage ?? tokensOf(_meta);
  if (quirks.countsTokens !== "byRequest") return ofAnswer ?? tokens;
  return tokens ?? (endedCalls.size > 0 ? undefined : ofAnswer);
}

/** The answer to the later of two prompts of one turn, with the tokens of both. */
export function withTokensOf(earlier: AcpPromptResult, later: AcpPromptResult): AcpPromptResult {
  const [before, after] = [earlier, later].map(({ usage, _meta }) => usage ?? tokensOf(_meta));
  return before && after ? { ...later, usage: sumOf(before, after, 1) } : later;
}

/** `before` is what was counted in earlier turns already. */
export function turnUsage(all: AcpTokens | undefined, before: AcpTokens | undefined): Usage | undefined {
  const told = all && before ? sumOf(all, before, -1) : all;
  if (told?.inputTokens === undefined && told?.outputTokens === undefined) return undefined;
  return {
    input_tokens: told.inputTokens ?? 0,
    output_tokens: told.outputTokens ?? 0,
    ...known("cached_input_tokens", told.cachedReadTokens),
    ...known("cache_write_tokens", told.cachedWriteTokens),
    ...known("reasoning_tokens", told.thoughtTokens),
  };
}

/** Of an agent that has its own place for them: `usage` (Qwen Code), `quota.token_count` (Gemini). */
export function tokensOf(meta: AcpPromptResult["_meta"]): AcpTokens | undefined {
  const { usage, quota } = (meta ?? {}) as { usage?: Numbers | null; quota?: { token_count?: Numbers } | null };
  const told = usage ?? quota?.token_count;
  if (!told) return undefined;
  const pick = (...names: string[]) => names.map((name) => told[name]).find(isCount);
  return defined({
    inputTokens: pick("inputTokens", "input_tokens", "promptTokens"),
    outputTokens: pick("outputTokens", "output_tokens", "completionTokens", "candidatesTokens"),
    cachedReadTokens: pick("cachedReadTokens", "cached_read_tokens", "cachedTokens"),
    thoughtTokens: pick("thoughtTokens", "thought_tokens"),
  });
}

/** Each number that one of them has; `sign` -1 takes the second away. */
export function sumOf(one: AcpTokens | undefined, other: AcpTokens, sign: 1 | -1): AcpTokens {
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other)]) as Set<keyof AcpTokens>;
  const sums = [...names].map((name) => [name, Math.max(0, (one?.[name] ?? 0) + sign * (other[name] ?? 0))]);
  return Object.fromEntries(sums) as AcpTokens;
}

/** The agent counts for the whole conversation; what a turn of a resumed one cost is not known until the next. */
export function turnCost({ cost, costBefore, currency }: TurnState): Cost | undefined {
  if (cost === undefined || costBefore === undefined || currency === undefined) return undefined;
  return costOf(cost - costBefore, currency);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function known(name: keyof Usage, value: number | null | undefined): Partial<Usage> {
  return value === undefined || value === null ? {} : { [name]: value };
}

function defined(tokens: Readonly<Record<string, unknown>>): AcpTokens {
  return Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined)) as AcpTokens;
}
