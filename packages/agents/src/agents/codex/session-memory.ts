import type { CodexState } from "./convert/codex-state.ts";

/** What a person settled and Codex forgets with its process; the daemon keeps it. */
interface CodexMemory {
  readonly allowed?: readonly string[];
}

export function memoryOf({ allowed }: CodexState): CodexMemory {
  return { allowed: [...allowed] };
}

export function readMemory(memory: unknown): Required<CodexMemory> {
  const { allowed = [] } = (memory ?? {}) as CodexMemory;
  return { allowed };
}
