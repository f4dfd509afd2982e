import type { ParsedStep } from "./model-step.ts";

/** How long a step waits before its first byte and between its chunks, in milliseconds. */
export function delaysOf({ delayMs = 0 }: ParsedStep): { first: number; between: number } {
  if (typeof delayMs === "number") return { first: delayMs, between: delayMs };
  return { first: delayMs.first ?? 0, between: delayMs.between ?? 0 };
}
