import { type AgentMode, SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import type { NativeAgent } from "./dialect.ts";

/** The agents a person may talk to are the modes; the others are subagents, or for OpenCode itself. */
function isMode({ name, mode, hidden }: NativeAgent): boolean {
  return Boolean(name) && mode !== "subagent" && !hidden;
}

export function readModes(agents: readonly NativeAgent[]): AgentMode[] {
  return agents.filter(isMode).map(({ name = "", description }) => ({
    id: name,
    name: name.charAt(0).toUpperCase() + name.slice(1),
    description: description ?? "",
  }));
}

/** Who plans is OpenCode's agent `plan`, whichever of the two modes says so. */
export function agentName({ agentMode, permissionMode }: Pick<SessionConfig, "agentMode" | "permissionMode">): string {
  return permissionMode === "plan" && agentMode === "build" ? "plan" : agentMode;
}

/** Nothing may change before the plan is approved, whatever the other mode would let pass. */
export function isPlanning({
  agentMode,
  permissionMode,
}: Pick<SessionConfig, "agentMode" | "permissionMode">): boolean {
  return permissionMode === "plan" || agentMode === "plan";
}

/** OpenCode takes a prompt for an agent that is not there, and then never becomes idle. */
export function requireAgent(agents: readonly NativeAgent[], name: string): NativeAgent {
  const agent = agents.filter(isMode).find((candidate) => candidate.name === name);
  if (agent) return agent;
  const known = readModes(agents).map(({ id }) => id);
  const message = `OpenCode has no agent "${name}" here. Choose one of: ${known.join(", ")}.`;
  throw new SandboxError("mode_not_supported", message, { agent: "opencode" });
}
