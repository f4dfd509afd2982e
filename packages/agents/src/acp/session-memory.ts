import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";
import type { AcpSetting, AcpState } from "./convert/acp-state.ts";

/** What a person settled for the whole session and no agent keeps. */
export interface SessionMemory {
  readonly allowedUses: readonly string[];
}

type Modes = Pick<AcpSetting, "permissionMode" | "modeAfterPlan">;

/** A session that plans does so until its plan is approved, whether it was asked as its mode or as its permission. */
export function firstModes({ agentMode, permissionMode }: SessionConfig): Modes {
  const modeAfterPlan: PermissionMode = permissionMode === "plan" ? "default" : permissionMode;
  return { permissionMode: agentMode === "plan" ? "plan" : permissionMode, modeAfterPlan };
}

/** The modes of a session as they are now. */
export function modesOf({
  permissionMode,
}: Pick<Modes, "permissionMode">): Pick<SessionConfig, "agentMode" | "permissionMode"> {
  return { agentMode: permissionMode === "plan" ? "plan" : "build", permissionMode };
}

export function memoryOf({ allowedUses }: AcpState): SessionMemory {
  return { allowedUses: [...allowedUses] };
}

/** The state with what an earlier one remembered; what cannot be read is nothing. */
export function recall(state: AcpState, memory: unknown): AcpState {
  const { allowedUses } = (memory ?? {}) as Partial<SessionMemory>;
  const uses = Array.isArray(allowedUses) ? allowedUses.filter((use) => typeof use === "string") : [];
  return { ...state, allowedUses: new Set(uses) };
}
