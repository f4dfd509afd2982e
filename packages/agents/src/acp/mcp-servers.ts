import { type McpServerConfig, SandboxError } from "@sandbox-agent/protocol";
import { remoteHeaders } from "../mcp/remote-headers.ts";
import type { AcpAgent, AcpPlace } from "./acp-agent.ts";
import type { AcpInitialized } from "./dialect.ts";

type LocalServer = Extract<McpServerConfig, { type: "local" }>;

/** The MCP servers of a session as `session/new` takes them; throws for one that the agent cannot reach. */
export function mcpServers(
  { session, env }: Pick<AcpPlace, "session" | "env">,
  { id, displayName }: Pick<AcpAgent, "id" | "displayName">,
  { agentCapabilities }: AcpInitialized,
): object[] {
  const reachable = agentCapabilities?.mcpCapabilities ?? {};
  const enabled = Object.entries(session.mcp ?? {}).filter(([, server]) => server.enabled !== false);
  return enabled.map(([name, server]) => {
    if (server.type === "local") return { name, ...localCommand(server), env: pairs(server.env ?? {}) };
    const type = server.transport ?? "http";
    if (!reachable[type]) {
      const sentence = `${displayName} does not reach MCP servers over ${type}. Change the server "${name}" or leave it out.`;
      throw new SandboxError("invalid_request", sentence, { agent: id, sessionId: session.sessionId });
    }
    return { type, name, url: server.url, headers: pairs(remoteHeaders(name, server, env)) };
  });
}

/** Agents start servers in the session's directory; one that wants another gets there through a shell. */
function localCommand({ command, args, cwd }: LocalServer): { command: string; args: string[] } {
  if (!cwd) return { command, args: args ?? [] };
  return { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', cwd, command, ...(args ?? [])] };
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
