import type { Cost } from "@sandbox-agent-ts/protocol";

/** Finer than the price of any token, coarser than the tail of a sum of fractions. */
const PARTS_OF_ONE = 1e9;

/** What a turn cost, from a sum or a difference of what the agent told: its tail means nothing and is cut off. */
export function costOf(sum: number, currency = "USD"): Cost {
  return { amount: Math.max(0, Math.round(sum * PARTS_OF_ONE) / PARTS_OF_ONE), currency };
}
