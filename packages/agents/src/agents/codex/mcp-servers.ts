import { type McpServerConfig, SandboxError } from "@sandbox-agent-ts/protocol";

/**
 * MCP servers of a session as keys of a thread's config: they are there for that thread alone. `asksEverything`: also about
 * tools that call themselves read-only, which Codex else takes their word for.
 */
export function mcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  asksEverything = false,
): Record<string, object> {
  const asking = asksEverything ? { default_tools_approval_mode: "prompt" } : {};
  const entries = Object.entries(servers).map(([name, server]) => {
    // A dot would begin a new level of the config.
    return [`mcp_servers.${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`, { ...mcpServer(name, server), ...asking }];
  });
  return Object.fromEntries(entries);
}

function mcpServer(name: string, server: McpServerConfig): object {
  const { enabled, timeoutMs } = server;
  const common = {
    ...(enabled === false ? { enabled } : {}),
    ...(timeoutMs ? { startup_timeout_sec: timeoutMs / 1000, tool_timeout_sec: timeoutMs / 1000 } : {}),
  };
  if (server.type === "local") {
    const { command, args, env, cwd } = server;
    return { ...common, command, args: args ?? [], ...(env ? { env } : {}), ...(cwd ? { cwd } : {}) };
  }
  if (server.transport === "sse") {
    const message = `Codex reaches remote MCP servers over streamable HTTP only. Set the transport of "${name}" to http.`;
    throw new SandboxError("invalid_request", message, { agent: "codex" });
  }
  const { url, headers, envHeaders, bearerTokenEnvVar } = server;
  return {
    ...common,
    url,
    ...(headers ? { http_headers: headers } : {}),
    ...(envHeaders ? { env_http_headers: envHeaders } : {}),
    ...(bearerTokenEnvVar ? { bearer_token_env_var: bearerTokenEnvVar } : {}),
  };
}
