import { SandboxError } from "@sandbox-agent-ts/protocol";
import { enabledServers } from "../mcp/enabled-servers.ts";
import { localCommand } from "../mcp/local-command.ts";
import { remoteHeaders } from "../mcp/remote-headers.ts";
import type { AcpAgent, AcpPlace } from "./acp-agent.ts";
import type { AcpInitialized } from "./dialect.ts";

/** The MCP servers of a session as `session/new` takes them; throws for one that the agent cannot reach. */
export async function mcpServers(
  { session, env, watchServer }: Pick<AcpPlace, "session" | "env" | "watchServer">,
  { id, displayName }: Pick<AcpAgent, "id" | "displayName">,
  { agentCapabilities }: AcpInitialized,
): Promise<object[]> {
  const reachable = agentCapabilities?.mcpCapabilities ?? {};
  const describing = enabledServers(session.mcp).map(async ([name, server]) => {
    if (server.type === "local") {
      const command = localCommand(server);
      return { name, ...((await watchServer?.(name, command)) ?? command), env: pairs(server.env ?? {}) };
    }
    const type = server.transport ?? "http";
    if (!reachable[type]) {
      const sentence = `${displayName} does not reach MCP servers over ${type}. Change the server "${name}" or leave it out.`;
      throw new SandboxError("invalid_request", sentence, { agent: id, sessionId: session.sessionId });
    }
    return { type, name, url: server.url, headers: pairs(remoteHeaders(name, server, env)) };
  });
  return Promise.all(describing);
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
