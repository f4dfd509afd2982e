import type { McpServerConfig } from "@sandbox-agent/protocol";
import { remoteHeaders } from "../../mcp/remote-headers.ts";

type Env = Readonly<Record<string, string>>;

/** The session's servers as `--mcp-config` takes them, beside those of the user; `undefined` when there are none. */
export function mcpConfig(
  servers: Readonly<Record<string, McpServerConfig>>,
  env: Env,
): Record<string, object> | undefined {
  const enabled = Object.entries(servers).filter(([, server]) => server.enabled !== false);
  if (enabled.length === 0) return undefined;
  return Object.fromEntries(enabled.map(([name, server]) => [name, nativeServer(name, server, env)]));
}

function nativeServer(name: string, server: McpServerConfig, env: Env): object {
  if (server.type === "local") return { ...localCommand(server), env: server.env ?? {} };
  const transport = server.transport === "sse" ? { transport: "sse" } : {};
  return { url: server.url, headers: remoteHeaders(name, server, env), ...transport };
}

type LocalServer = Extract<McpServerConfig, { type: "local" }>;

/** Amp starts servers in the session's directory; one that wants another gets there through a shell. */
function localCommand({ command, args, cwd }: LocalServer): { command: string; args: string[] } {
  if (!cwd) return { command, args: args ?? [] };
  return { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, command, ...(args ?? [])] };
}
