import type { ModelStep } from "../model-script.ts";

const PIECE_DELAY_MS = 20;

export const numbers = Array.from({ length: 200 }, (_, n) => `${n} `);

/** Takes four seconds, so that much can happen meanwhile. */
export const slowNumbers: ModelStep = slowly(numbers);

export function slowly(text: string[]): ModelStep {
  return { text, delayMs: { between: PIECE_DELAY_MS } };
}
