import type { SessionConfig } from "../../agent.ts";
import type { ClaudeState } from "./convert/claude-state.ts";
import type { PermissionRule } from "./dialect.ts";
import { firstPermissionMode } from "./launch.ts";

/** What a person settled and a new process would not know; the daemon keeps it. */
interface ClaudeMemory {
  readonly permissionMode?: string;
  readonly allowedRules?: readonly PermissionRule[];
  readonly allowedUses?: readonly string[];
}

export function memoryOf(state: ClaudeState, session: SessionConfig): ClaudeMemory {
  const { permissionMode, allowedRules, allowedUses } = state;
  const hasChanged = permissionMode !== null && permissionMode !== firstPermissionMode(session);
  return { ...(hasChanged ? { permissionMode } : {}), allowedRules, allowedUses: [...allowedUses] };
}

export function withMemory(state: ClaudeState, memory: unknown): ClaudeState {
  const { permissionMode, allowedRules = [], allowedUses = [] } = (memory ?? {}) as ClaudeMemory;
  return { ...state, permissionMode: permissionMode ?? null, allowedRules, allowedUses: new Set(allowedUses) };
}

/** Nothing has to be kept anew. */
export function remembersTheSame(a: ClaudeState, b: ClaudeState): boolean {
  const { permissionMode, allowedRules, allowedUses } = a;
  return permissionMode === b.permissionMode && allowedRules === b.allowedRules && allowedUses === b.allowedUses;
}
