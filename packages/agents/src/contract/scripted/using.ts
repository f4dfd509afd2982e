import type { Provocation, ProvokingMessage, Skipped } from "../agent-scenario.ts";
import type { ModelStep } from "../model-script.ts";
import type { Tool } from "./scripted-tools.ts";

/** Everything is allowed. */
export const unasked = { permissionMode: "bypass" } as const;

/** A provocation that takes a tool; without the tool, the reason why there is none. */
export function using<Args extends unknown[]>(
  tool: Tool<Args>,
  provoke: (call: (...args: Args) => ModelStep[]) => ProvokingMessage,
): Provocation {
  return isSkipped(tool) ? tool : provoke(tool);
}

/** What the model says to use a tool, or nothing where there is no such tool. */
export function stepsOf<Args extends unknown[]>(tool: Tool<Args>, ...args: Args): ModelStep[] {
  return isSkipped(tool) ? [] : tool(...args);
}

function isSkipped(tool: Skipped | ((...args: never[]) => unknown)): tool is Skipped {
  return typeof tool === "object";
}

/** Two provocations, one after the other. */
export function followed(first: Provocation, then: Provocation): Provocation {
  if ("skip" in first) return first;
  return "skip" in then ? then : { ...first, other: then };
}

/** Where the model says one thing more than it does with other agents. */
export function withStep(provocation: Provocation, step: ModelStep): Provocation {
  if ("skip" in provocation) return provocation;
  return { ...provocation, script: [...(provocation.script ?? []), step] };
}
