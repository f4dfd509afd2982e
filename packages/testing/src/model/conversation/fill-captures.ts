import type { ParsedStep } from "../script/model-step.ts";
import { type Expression, toRegExp } from "../script/pattern.ts";
import { wholeText } from "./check-expectation.ts";
import type { ModelRequest } from "./model-request.ts";

/** A step with `{{name}}` replaced by what its captures found in the request, and the names that found nothing. */
export function fillCaptures(
  step: ParsedStep,
  request: ModelRequest,
): { readonly step: ParsedStep; readonly missing: readonly string[] } {
  const captures = Object.entries(step.capture ?? {});
  if (captures.length === 0) return { step, missing: [] };
  const texts = [request.system, ...request.messages.map(wholeText)];
  const found = new Map(captures.map(([name, expression]) => [name, newest(expression, texts)]));
  const missing = [...found].flatMap(([name, value]) => (value === undefined ? [name] : []));
  return { step: fill(step, found) as ParsedStep, missing };
}

function newest(expression: Expression, texts: readonly string[]): string | undefined {
  const { source, flags } = toRegExp(expression);
  const everywhere = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  const match = texts.flatMap((text) => [...text.matchAll(everywhere)]).at(-1);
  return match?.[1] ?? match?.[0];
}

function fill(value: unknown, found: ReadonlyMap<string, string | undefined>): unknown {
  if (typeof value === "string") return value.replace(/\{\{(\w+)\}\}/g, (whole, name) => found.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((entry) => fill(entry, found));
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry, found)]));
}
