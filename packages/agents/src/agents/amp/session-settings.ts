import { delimiter } from "node:path";
import { type PermissionMode, SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import { isRecord } from "./convert/json.ts";
import { type PermissionRule, permissionRules } from "./permissions/permission-rules.ts";
import type { Settings } from "./user-settings.ts";

/** The mode a session is kept in: planning is a mode of Amp's only by its permissions. */
export function permissionModeOf({ agentMode, permissionMode }: SessionConfig): PermissionMode {
  return agentMode === "plan" ? "plan" : permissionMode;
}

/** The user's settings with what this session needs laid over them. */
export function sessionSettings(
  user: Settings,
  mode: PermissionMode,
  { helper, skillsDir, asksEverything }: { helper: string; skillsDir?: string; asksEverything?: boolean },
): Settings {
  const skills = [skillsDir, user["amp.skills.path"]].filter((path) => typeof path === "string" && path !== "");
  return {
    ...user,
    "amp.dangerouslyAllowAll": mode === "bypass",
    "amp.permissions": permissionRules(mode, rulesIn(user), helper, asksEverything),
    "amp.updates.mode": "disabled",
    // Amp asks about certain files, e.g. databases, in its own window, which nobody sees, and waits; our helper asks anyway.
    "amp.guardedFiles.allowlist": ["**"],
    ...(skills.length === 0 ? {} : { "amp.skills.path": skills.join(delimiter) }),
  };
}

/**
 * Amp puts the settings of the directory above ours. Where they would let it do what nobody was asked about, the turn is
 * refused, so that nobody believes to be asked who is not.
 */
export function refuseOverrides(workspace: Settings, mode: PermissionMode): void {
  if (mode === "bypass") return;
  const allowsAll = workspace["amp.dangerouslyAllowAll"] === true;
  const allows = rulesIn(workspace).some(({ action }) => action !== "reject" && action !== "ask");
  const allowsServers = workspace["amp.mcpPermissions"] !== undefined;
  if (!allowsAll && !allows && !allowsServers) return;
  const setting = allowsAll ? "amp.dangerouslyAllowAll" : allows ? "amp.permissions" : "amp.mcpPermissions";
  const sentence = `The settings of this directory (.amp/settings.json) have ${setting}, which Amp puts above the permission mode ${mode} of the session. Remove it there, or use the permission mode bypass.`;
  throw new SandboxError("permission_denied", sentence, { agent: "amp" });
}

function rulesIn(settings: Settings): PermissionRule[] {
  const rules = settings["amp.permissions"];
  return Array.isArray(rules) ? rules.filter((rule): rule is PermissionRule => isRecord(rule)) : [];
}
