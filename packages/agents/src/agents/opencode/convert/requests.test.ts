/** Feared: a policy or a person decides about less than what OpenCode asks. */
import { expect, test } from "vitest";
import type { EventProperties, Part } from "../dialect.ts";
import { permissionData } from "./requests.ts";

const setting = { directory: "/workspace", home: "/home/ada", mcpServers: ["loud"] };

function told(ask: EventProperties, native?: Part) {
  const call = native && { native, itemId: "i1" };
  return permissionData("r1", { ask: { tool: { callID: "c1" }, ...ask }, call, parent: undefined }, setting);
}

test.each<[string, EventProperties, Part | undefined, object]>([
  [
    "a command, before its input is told",
    { permission: "bash", patterns: ["echo a", "rm b"], metadata: { command: "echo a; rm b" } },
    undefined,
    { kind: "execute", command: "echo a; rm b", cwd: "/workspace", tool: "bash" },
  ],
  [
    "a command that is told only in parts",
    { permission: "bash", patterns: ["echo a", "rm b"] },
    undefined,
    { kind: "execute", command: "echo a; rm b" },
  ],
  [
    "a command in another directory",
    { permission: "bash", patterns: ["ls"], metadata: { command: "ls" } },
    { tool: "bash", state: { input: { command: "ls", workdir: "sub" } } },
    { kind: "execute", command: "ls", cwd: "/workspace/sub", item_id: "i1", call_id: "c1" },
  ],
  [
    "a patch of several files",
    {
      permission: "edit",
      patterns: ["a.txt", "b.txt"],
      metadata: {
        filepath: "a.txt, b.txt",
        diff: "Index: a.txt\n===\n--- a.txt\n+++ a.txt\nIndex: b.txt\n===\n--- b.txt\n+++ b.txt\n",
        files: [
          { filePath: "/workspace/a.txt", type: "update" },
          { filePath: "/workspace/b.txt", type: "delete" },
        ],
      },
    },
    undefined,
    {
      kind: "delete",
      paths: ["/workspace/a.txt", "/workspace/b.txt"],
      diff: "--- a.txt\n+++ a.txt\n--- b.txt\n+++ b.txt\n",
    },
  ],
  [
    "a file of the home directory",
    { permission: "read", patterns: ["~/.netrc"] },
    undefined,
    { kind: "read", paths: ["/home/ada/.netrc"] },
  ],
  [
    "a file outside of the directory",
    { permission: "external_directory", patterns: ["/etc/*"], metadata: { filepath: "/etc/hosts" } },
    { tool: "read", state: { input: {} } },
    { kind: "read", paths: ["/etc/hosts"], action: "Use files outside of the directory: /etc/*" },
  ],
  [
    "a command that uses another directory",
    { permission: "external_directory", patterns: ["/etc/*"] },
    { tool: "bash", state: { input: {} } },
    { kind: "execute", paths: ["/etc"], action: "Use files outside of the directory: /etc/*" },
  ],
  [
    "a page",
    { permission: "webfetch", patterns: ["https://example.org"], metadata: { url: "https://example.org" } },
    undefined,
    { kind: "fetch", url: "https://example.org", action: "Fetch https://example.org" },
  ],
  [
    "the tool of an MCP server",
    { permission: "loud_shout", patterns: ["*"] },
    { tool: "loud_shout", state: { input: { path: "/etc" } } },
    { kind: "mcp", mcp_server: "loud", action: "Use the tool shout of the MCP server loud", paths: [] },
  ],
  [
    "a loop, which is not what its tool does",
    { permission: "doom_loop", patterns: ["bash"] },
    { tool: "bash", state: { input: { command: "ls" } } },
    { kind: "other", tool: "doom_loop", action: "Go on, although it does the same again and again" },
  ],
  [
    "a subagent",
    { permission: "task", patterns: ["reviewer"] },
    { tool: "task", state: { input: { description: "Review" } } },
    { kind: "other", action: "Start the subagent reviewer" },
  ],
  ["an unknown tool", { permission: "skill", patterns: ["deploy"] }, undefined, { action: "Use skill: deploy" }],
])("%s", (_what, ask, native, expected) => {
  expect(told(ask, native)).toMatchObject(expected);
});
