import { expect, test } from "vitest";
import { mcpServers } from "./mcp-servers.ts";

test("servers become keys of the config, in Codex's words", () => {
  expect(
    mcpServers({
      "my.server": { type: "local", command: "node", args: ["x.mjs"], env: { A: "1" }, timeoutMs: 1500 },
      far: {
        type: "remote",
        url: "http://localhost:1/mcp",
        headers: { a: "b" },
        bearerTokenEnvVar: "T",
        enabled: false,
      },
    }),
  ).toEqual({
    "mcp_servers.my_server": {
      command: "node",
      args: ["x.mjs"],
      env: { A: "1" },
      startup_timeout_sec: 1.5,
      tool_timeout_sec: 1.5,
    },
    "mcp_servers.far": {
      url: "http://localhost:1/mcp",
      http_headers: { a: "b" },
      bearer_token_env_var: "T",
      enabled: false,
    },
  });
});

test("a session with a policy is asked about every tool, whatever a tool says of itself", () => {
  const local = { type: "local", command: "x" } as const;
  expect(mcpServers({ near: local }, true)).toEqual({
    "mcp_servers.near": { command: "x", args: [], default_tools_approval_mode: "prompt" },
  });
});

test("a transport that Codex does not have is refused with what to do", () => {
  const sse = { type: "remote", url: "http://localhost:1/sse", transport: "sse" } as const;
  expect(() => mcpServers({ old: sse })).toThrow(/Set the transport of "old" to http/);
});
