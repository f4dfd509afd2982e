import { isFailure, type ParsedStep } from "../script/model-step.ts";

/** A request that was served at a place of a conversation: what the user had said by then, and the step it got. */
export interface Served {
  readonly prompts: readonly string[];
  readonly index: number;
}

/**
 * Which step a request gets. Answers in the history say how far the conversation is, so a repeated request gets the
 * same step and conversations never mix. Failures leave no answer there: each is over after one request, and the step
 * after it answers the next. Where the user spoke again without an answer, the step before was abandoned.
 */
export function chooseStep(
  steps: readonly ParsedStep[],
  answers: readonly string[],
  prompts: readonly string[],
  served: readonly Served[],
): { readonly index: number; readonly step: ParsedStep | undefined } {
  const start = answers.reduce((index, answer) => afterAnswer(steps, index, answer), 0);
  const index = served.reduce((at, earlier) => Math.max(at, afterServed(steps, earlier, prompts)), start);
  return { index, step: stepAt(steps, index) };
}

function afterServed(steps: readonly ParsedStep[], earlier: Served, prompts: readonly string[]): number {
  if (!earlier.prompts.every((text, index) => text === prompts[index])) return 0;
  const step = stepAt(steps, earlier.index);
  const isRetry = earlier.prompts.length === prompts.length;
  if (step === undefined || (isRetry && !isFailure(step))) return earlier.index;
  const next = stepAt(steps, earlier.index + 1);
  return next === undefined && isFailure(step) ? earlier.index : earlier.index + 1;
}

/** Steps that failed before this answer was given are behind us, unless the answer is what one of them left behind. */
function afterAnswer(steps: readonly ParsedStep[], index: number, answer: string): number {
  for (let at = index; ; at++) {
    const step = stepAt(steps, at);
    if (step === undefined || !isFailure(step) || step.repeat === "forever") return at + 1;
    if (isBeginningOf(step, answer)) return at + 1;
  }
}

function isBeginningOf(step: ParsedStep, answer: string): boolean {
  const text = typeof step.text === "string" ? step.text : (step.text ?? []).join("");
  return answer.trim() !== "" && text.trim().startsWith(answer.trim());
}

/** The steps with their repetitions. */
function stepAt(steps: readonly ParsedStep[], index: number): ParsedStep | undefined {
  let left = index;
  for (const step of steps) {
    const times = step.repeat === "forever" ? Number.POSITIVE_INFINITY : (step.repeat ?? 1);
    if (left < times) return step;
    left -= times;
  }
  return undefined;
}
