import type { ClaudeState } from "./convert/claude-state.ts";
import type { PermissionRule } from "./dialect.ts";

/** What a person settled and a new process would not know; the daemon keeps it. */
interface ClaudeMemory {
  readonly allowedRules?: readonly PermissionRule[];
  readonly allowedUses?: readonly string[];
}

export function memoryOf({ allowedRules, allowedUses }: ClaudeState): ClaudeMemory {
  return { allowedRules, allowedUses: [...allowedUses] };
}

export function withMemory(state: ClaudeState, memory: unknown): ClaudeState {
  const { allowedRules = [], allowedUses = [] } = (memory ?? {}) as ClaudeMemory;
  return { ...state, allowedRules, allowedUses: new Set(allowedUses) };
}

/** Nothing has to be kept anew. */
export function remembersTheSame(a: ClaudeState, b: ClaudeState): boolean {
  const { allowedRules, allowedUses } = a;
  return allowedRules === b.allowedRules && allowedUses === b.allowedUses;
}
