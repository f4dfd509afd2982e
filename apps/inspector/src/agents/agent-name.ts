import type { AgentInfo } from "@sandbox-agent-ts/protocol";

export function agentName({ name, id }: Pick<AgentInfo, "name" | "id">): string {
  return name ?? id;
}

/** `fileChanges` → `File changes`: whatever the daemon can say is shown, also what is new. */
export function capabilityLabel(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Mcp\b/, "MCP");
}
