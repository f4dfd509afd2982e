import type { McpServerConfig } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import type { AcpPlace } from "./acp-agent.ts";
import { mcpServers } from "./mcp-servers.ts";

const agent = { id: "peer", displayName: "Peer" };
const reaching = { agentCapabilities: { mcpCapabilities: { http: true } } };

function servers(mcp: Record<string, McpServerConfig>): Promise<object[]> {
  return mcpServers({ session: { mcp }, env: { TOKEN: "secret" } } as unknown as AcpPlace, agent, reaching);
}

test("local servers are commands with their environment, in the directory they want", async () => {
  const local = { type: "local", command: "node", args: ["a.js"], env: { A: "1" } } satisfies McpServerConfig;
  expect(
    await servers({ one: local, off: { ...local, enabled: false }, two: { ...local, cwd: "/elsewhere" } }),
  ).toEqual([
    { name: "one", command: "node", args: ["a.js"], env: [{ name: "A", value: "1" }] },
    expect.objectContaining({ name: "two", command: "sh", args: expect.arrayContaining(["/elsewhere", "node"]) }),
  ]);
});

test("remote servers have their headers, also those from the environment", async () => {
  const remote = {
    type: "remote",
    url: "https://example.com/mcp",
    headers: { A: "1" },
    bearerTokenEnvVar: "TOKEN",
  } as const;
  expect(await servers({ far: remote })).toEqual([
    {
      type: "http",
      name: "far",
      url: "https://example.com/mcp",
      headers: [
        { name: "A", value: "1" },
        { name: "Authorization", value: "Bearer secret" },
      ],
    },
  ]);
});

test("a server that cannot be reached, or a variable that is not there, is said before anything starts", async () => {
  const remote = { type: "remote", url: "https://example.com/mcp" } as const;
  const unreachable = servers({ far: { ...remote, transport: "sse" } });
  await expect(unreachable).rejects.toThrow(/Peer does not reach MCP servers over sse/);
  const unknown = servers({ far: { ...remote, bearerTokenEnvVar: "NONE" } });
  await expect(unknown).rejects.toThrow(/needs the variable NONE/);
});
