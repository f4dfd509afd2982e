import { expect, test } from "vitest";
import type { AcpPlace } from "./acp-agent.ts";
import { type DirectoryFiles, ignoredOf, trustsDirectory } from "./directory-trust.ts";

const asked = ["hooks", "tools.allowed"];
const server = { files: { type: "local", command: "/bin/server" } } as const;

async function trustOf(session: Partial<AcpPlace["session"]>, { trusted = false, asks = asked } = {}) {
  const files: DirectoryFiles = {
    agent: { id: "peer", displayName: "Peer" },
    isTrusted: async () => trusted,
    asks: async () => asks,
    howToTrust: "Say so in it.",
  };
  const plain = { directory: "/repository", permissionMode: "default", agentMode: "build" };
  const place = { session: { ...plain, ...session } } as unknown as AcpPlace;
  return { trusts: await trustsDirectory(files, place), ignored: (await ignoredOf(files, place))?.asked };
}

test("what files of a directory ask for is not given", async () => {
  for (const permissionMode of ["default", "acceptEdits", "plan"] as const) {
    expect(await trustOf({ permissionMode })).toEqual({ trusts: false, ignored: asked });
  }
});

test("it is given by a user who trusts the directory, or lets the agent do everything but while it plans", async () => {
  expect(await trustOf({}, { trusted: true })).toEqual({ trusts: true, ignored: undefined });
  expect(await trustOf({ permissionMode: "bypass" })).toEqual({ trusts: true, ignored: undefined });
  expect(await trustOf({ permissionMode: "bypass", agentMode: "plan" })).toEqual({ trusts: false, ignored: asked });
});

test("where nothing is asked for the directory is used as it is", async () => {
  expect(await trustOf({ mcp: server }, { asks: [] })).toEqual({ trusts: true, ignored: undefined });
});

test("a session whose MCP servers would not be started is refused with what to do", async () => {
  await expect(trustOf({ mcp: server })).rejects.toMatchObject({ code: "permission_denied" });
  await expect(trustOf({ mcp: server })).rejects.toThrow(/hooks, tools\.allowed.*Say so in it\..*bypass/s);
  expect(await trustOf({ mcp: { files: { ...server.files, enabled: false } } })).toMatchObject({ trusts: false });
});
