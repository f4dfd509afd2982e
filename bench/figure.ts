/** One thing that is measured, with what it is measured against. */
export interface Figure {
  readonly name: string;
  /** What is done, in a line. */
  readonly work: string;
  readonly measure: (settings: Settings) => Promise<Result[]>;
}

export interface Settings {
  readonly rounds: number;
  /** Another daemon with the same API, started by this command, measured beside ours where it can be. */
  readonly peer: readonly string[] | undefined;
}

export interface Result {
  readonly what: string;
  readonly ours: number;
  readonly floor: number;
  readonly unit: string;
  /** What the floor is. */
  readonly against: string;
  readonly ratio: number;
  /** Only where one was set for this very comparison; a figure without is there to be watched. */
  readonly goal?: Goal;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export function meetsGoal(ratio: number, goal: Goal): boolean {
  return "atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

export function compare(
  what: string,
  unit: string,
  against: string,
  measured: { ours: number; floor: number },
  goal?: Goal,
): Result {
  return { what, unit, against, ...measured, ratio: measured.ours / measured.floor, ...(goal ? { goal } : {}) };
}
