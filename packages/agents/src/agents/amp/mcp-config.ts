import type { McpServerConfig } from "@sandbox-agent-ts/protocol";
import { enabledServers } from "../../mcp/enabled-servers.ts";
import { localCommand } from "../../mcp/local-command.ts";
import { remoteHeaders } from "../../mcp/remote-headers.ts";

type Env = Readonly<Record<string, string>>;

/** The session's servers as `--mcp-config` takes them, beside those of the user; `undefined` when there are none. */
export function mcpConfig(
  servers: Readonly<Record<string, McpServerConfig>>,
  env: Env,
): Record<string, object> | undefined {
  const enabled = enabledServers(servers);
  if (enabled.length === 0) return undefined;
  return Object.fromEntries(enabled.map(([name, server]) => [name, nativeServer(name, server, env)]));
}

function nativeServer(name: string, server: McpServerConfig, env: Env): object {
  if (server.type === "local") return { ...localCommand(server), env: server.env ?? {} };
  const transport = server.transport === "sse" ? { transport: "sse" } : {};
  return { url: server.url, headers: remoteHeaders(name, server, env), ...transport };
}
