import type { CodexState } from "./convert/codex-state.ts";

/** What a person settled and Codex forgets with its process; the daemon keeps it. */
interface CodexMemory {
  readonly leftPlanMode?: boolean;
  readonly allowed?: readonly string[];
}

export function memoryOf({ allowed }: CodexState, leftPlanMode: boolean): CodexMemory {
  return { leftPlanMode, allowed: [...allowed] };
}

export function readMemory(memory: unknown): Required<CodexMemory> {
  const { leftPlanMode = false, allowed = [] } = (memory ?? {}) as CodexMemory;
  return { leftPlanMode, allowed };
}
