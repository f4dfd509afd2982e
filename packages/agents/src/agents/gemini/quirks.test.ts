import { expect, test } from "vitest";
import { beginningState } from "../../acp/__fixtures__/describe-recordings.ts";
import { convertCalls } from "../../acp/convert/convert-calls.ts";
import { useOf } from "../../acp/convert/permissions.ts";
import { quirks } from "./quirks.ts";

const hint = (text: string) => [{ type: "content", content: { type: "text", text } }];
const command = { toolCallId: "run_shell_command__1", kind: "execute", title: "rm -r build" };
const page = { toolCallId: "web_fetch__1", kind: "fetch" };
const cut = `Processing URLs and instructions from prompt: "${"Read on. ".repeat(9)}https://example.or..."`;

test.each([
  [
    { ...command, content: hint("[current working directory /workspace]") },
    { command: "rm -r build", cwd: "/workspace" },
  ],
  [
    { ...command, content: hint("[in sub] (Remove [it].)") },
    { command: "rm -r build", cwd: "/workspace/sub" },
  ],
  [
    { ...command, content: hint("[in a [b]] [background]") },
    { command: "rm -r build", cwd: "/workspace/a [b]" },
  ],
  [
    { ...command, title: "echo 1\nrm 2" },
    { kind: "execute", command: "echo 1\nrm 2" },
  ],
  [
    { toolCallId: "resolve-prompt-1", kind: "read", title: "Allow access to absolute path: /data/a b.txt" },
    { kind: "read", paths: ["/data/a b.txt"] },
  ],
  [
    { ...page, title: "Fetching content from: http://a.example/b" },
    { kind: "fetch", url: "http://a.example/b" },
  ],
  [
    { ...page, title: 'Processing URLs and instructions from prompt: "Sum up http://a.example/b"' },
    { kind: "fetch", url: "http://a.example/b" },
  ],
  [
    { toolCallId: "mcp_stone_carve__1", kind: "other", title: "carve", content: hint('{"text":"ahoy"}') },
    { kind: "mcp", mcp_server: "stone", metadata: { input: { text: "ahoy" } } },
  ],
])("the request %j says %j", (toolCall, expected) => {
  expect(asked(toolCall)).toMatchObject({ type: "permission.requested", data: expected });
});

test("an address that is cut off is not told", () => {
  expect(asked({ ...page, title: cut })?.data).not.toHaveProperty("url");
});

const write = { toolCallId: "write_file__1", kind: "edit", title: "Writing to a/.../config.txt" };
const change = (path: string, newText: string) => ({
  ...write,
  locations: [{ path }],
  content: [{ type: "diff", path, oldText: "", newText }],
});

test.each([
  [change("/w/a/1/config.txt", "x"), change("/w/a/1/config.txt", "x"), true],
  [change("/w/a/1/config.txt", "x"), change("/w/a/2/config.txt", "x"), false],
  [change("/w/a/1/config.txt", "x"), change("/w/a/1/config.txt", "y"), false],
  [{ ...page, title: cut }, { ...page, title: cut, toolCallId: "web_fetch__2" }, false],
])("%j and %j are the same use: %j", (one, other, same) => {
  const { setting } = beginningState(quirks);
  expect(useOf(quirks.rewriteRequest(one), setting) === useOf(quirks.rewriteRequest(other), setting)).toBe(same);
});

function asked(toolCall: object) {
  const request = { method: "session/request_permission", params: { toolCall, options: [] }, id: 0, raw: "{}" };
  return convertCalls(beginningState(quirks, { mcpServers: ["stone"] }), [request]).drafts.at(-1);
}
