import { type McpServerConfig, SandboxError } from "@sandbox-agent/protocol";

type Env = Readonly<Record<string, string>>;

/** The session's servers as Claude Code wants them, beside those the user has configured; `undefined` when there are none. */
export function mcpConfig(
  servers: Readonly<Record<string, McpServerConfig>>,
  env: Env,
): { mcpServers: object } | undefined {
  const enabled = Object.entries(servers).filter(([, server]) => server.enabled !== false);
  if (enabled.length === 0) return undefined;
  return { mcpServers: Object.fromEntries(enabled.map(([name, server]) => [name, nativeServer(name, server, env)])) };
}

function nativeServer(name: string, server: McpServerConfig, env: Env): object {
  const timeout = server.timeoutMs ? { timeout: server.timeoutMs } : {};
  if (server.type === "local") return { type: "stdio", ...localCommand(server), env: server.env ?? {}, ...timeout };
  return { type: server.transport ?? "http", url: server.url, headers: headersOf(name, server, env), ...timeout };
}

type LocalServer = Extract<McpServerConfig, { type: "local" }>;
type RemoteServer = Extract<McpServerConfig, { type: "remote" }>;

/** Claude Code starts servers in the session's directory; one that wants another gets there through a shell. */
function localCommand({ command, args, cwd }: LocalServer): { command: string; args: string[] } {
  if (!cwd) return { command, args: args ?? [] };
  return { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, command, ...(args ?? [])] };
}

function headersOf(name: string, server: RemoteServer, env: Env): Record<string, string> {
  const fromEnv = Object.entries(server.envHeaders ?? {}).map(([header, variable]) => [
    header,
    required(name, variable, env),
  ]);
  const bearer = server.bearerTokenEnvVar
    ? { Authorization: `Bearer ${required(name, server.bearerTokenEnvVar, env)}` }
    : {};
  return { ...server.headers, ...Object.fromEntries(fromEnv), ...bearer };
}

function required(server: string, variable: string, env: Env): string {
  const value = env[variable];
  if (value !== undefined) return value;
  const sentence = `The MCP server ${server} needs the variable ${variable}, which is not set. Set it for the session.`;
  throw new SandboxError("invalid_request", sentence, { agent: "claude" });
}
