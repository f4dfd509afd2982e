import type { SessionConfig } from "../agent.ts";

/** Only where nothing is asked anyhow may files of the repository grant something. Pure. */
export function trustsRepository({ agentMode, permissionMode }: SessionConfig): boolean {
  return permissionMode === "bypass" && agentMode !== "plan";
}
