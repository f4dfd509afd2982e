import type { McpServerConfig } from "@sandbox-agent-ts/protocol";
import { enabledServers } from "../../mcp/enabled-servers.ts";
import { localCommand } from "../../mcp/local-command.ts";
import { remoteHeaders } from "../../mcp/remote-headers.ts";

type Env = Readonly<Record<string, string>>;

/** The session's servers as Claude Code wants them, beside those the user has configured; `undefined` when there are none. */
export function mcpConfig(
  servers: Readonly<Record<string, McpServerConfig>>,
  env: Env,
): { mcpServers: object } | undefined {
  const enabled = enabledServers(servers);
  if (enabled.length === 0) return undefined;
  return { mcpServers: Object.fromEntries(enabled.map(([name, server]) => [name, nativeServer(name, server, env)])) };
}

function nativeServer(name: string, server: McpServerConfig, env: Env): object {
  const timeout = server.timeoutMs ? { timeout: server.timeoutMs } : {};
  if (server.type === "local") return { type: "stdio", ...localCommand(server), env: server.env ?? {}, ...timeout };
  return { type: server.transport ?? "http", url: server.url, headers: remoteHeaders(name, server, env), ...timeout };
}
