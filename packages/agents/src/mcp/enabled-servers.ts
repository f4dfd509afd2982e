import type { McpServerConfig } from "@sandbox-agent-ts/protocol";

export function enabledServers(
  servers: Readonly<Record<string, McpServerConfig>> | undefined,
): [name: string, server: McpServerConfig][] {
  return Object.entries(servers ?? {}).filter(([, { enabled }]) => enabled !== false);
}
