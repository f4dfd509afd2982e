import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import type { AcpOpened } from "../dialect.ts";
import { findOption } from "../session-settings.ts";
import type { AcpSetting } from "./acp-state.ts";

/** The agent's own mode, wherever it tells it. Pure. */
export function currentMode(opened: Pick<AcpOpened, "modes" | "configOptions">): string | undefined {
  const value = findOption(opened, "mode")?.currentValue;
  return opened.modes?.currentModeId ?? (typeof value === "string" ? value : undefined);
}

/**
 * The settings after the agent entered a mode by itself. Several permission modes may share a mode of the agent: then the
 * one that holds is kept, or the one that was to follow the plan. A mode that goes with none of ours changes nothing. Pure.
 */
export function settingInMode(setting: AcpSetting, modeId: string): AcpSetting {
  const { permissionMode, modeAfterPlan, permissionModes = {} } = setting;
  const candidates = [permissionMode, modeAfterPlan, ...(Object.keys(permissionModes) as PermissionMode[])];
  const entered = candidates.find((mode) => permissionModes[mode]?.sessionMode === modeId);
  if (entered === undefined) return setting;
  return { ...setting, permissionMode: entered, ...(entered === "plan" ? {} : { modeAfterPlan: entered }) };
}
