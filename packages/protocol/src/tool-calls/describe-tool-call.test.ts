/** Feared: the same action told as another one because an agent calls its tool or a field otherwise. */
import { describe, expect, test } from "vitest";
import { describeToolCall } from "./describe-tool-call.ts";

const directory = "/work";
const home = "/home/ada";

describe("the same action is told the same, whatever the tool is called", () => {
  test.each<[string, object]>([
    ["Bash", { command: "npm test", description: "Run the tests" }],
    ["bash", { command: "npm test", workdir: "/work" }],
    ["exec_command", { cmd: "npm test" }],
    ["exec_command", { command: "npm test", cwd: "/work" }],
    ["shell_command", { command: "npm test", workdir: "." }],
    ["shell", { command: ["bash", "-lc", "npm test"] }],
    ["shell", { command: ["npm", "test"] }],
    ["developer__shell", { command: "npm test" }],
    ["run_shell_command", { command: "npm test", directory: "./" }],
    ["a tool nobody knows", { command: "npm test" }],
  ])("%s %j runs npm test", (name, input) => {
    expect(describeToolCall(name, input, { directory })).toEqual({
      kind: "execute",
      title: "Run the command npm test",
      subject: "npm test",
      paths: [],
      command: "npm test",
      cwd: "/work",
    });
  });

  test.each<[string, object]>([
    ["Edit", { file_path: "/work/a.txt", old_string: "a", new_string: "b" }],
    ["MultiEdit", { file_path: "a.txt", edits: [{ old_string: "a", new_string: "b" }] }],
    ["NotebookEdit", { notebook_path: "./a.txt", new_source: "b" }],
    ["edit", { filePath: "x/../a.txt", oldString: "a", newString: "b" }],
    ["edit_file", { path: "/work/./a.txt", old_str: "a", new_str: "b" }],
    ["replace", { file_path: "a.txt", old_string: "a", new_string: "b" }],
    ["str_replace_based_edit_tool", { command: "str_replace", path: "a.txt", old_str: "a", new_str: "b" }],
    ["text_editor", { command: "insert", path: "a.txt" }],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch" }],
    ["apply_patch", { changes: [{ path: "/work/a.txt", type: "update" }] }],
    ["Write", { file_path: "a.txt", content: "b" }],
    ["create_file", { path: "a.txt", content: "b" }],
    ["write_file", { file_path: "a.txt", content: "b" }],
    ["some_writer", { path: "a.txt", content: "b" }],
  ])("%s %j edits a.txt", (name, input) => {
    const told = describeToolCall(name, input, { directory });
    expect(told).toMatchObject({ kind: "edit", paths: ["/work/a.txt"] });
    expect(told.command).toBeUndefined();
    expect(told.title).toMatch(/^(Edit|Write) the file .*a\.txt$/);
  });

  test.each<[string, object, string]>([
    ["Read", { file_path: "a.txt" }, "Read the file a.txt"],
    ["read_file", { absolute_path: "/work/a.txt" }, "Read the file /work/a.txt"],
    ["view", { path: "a.txt" }, "Read the file a.txt"],
    ["text_editor", { command: "view", path: "a.txt" }, "Read the file a.txt"],
    ["Grep", { pattern: "TODO", path: "a.txt" }, "Search for TODO"],
    ["search_file_content", { pattern: "TODO", dir_path: "a.txt" }, "Search for TODO"],
  ])("%s %j reads a.txt", (name, input, title) => {
    expect(describeToolCall(name, input, { directory })).toMatchObject({ kind: "read", paths: ["/work/a.txt"], title });
  });

  test.each<[string, object]>([
    ["WebFetch", { url: "https://example.org/a", prompt: "What is it?" }],
    ["webfetch", { url: "https://example.org/a" }],
    ["web_fetch", { prompt: "Sum up https://example.org/a please" }],
    ["read_web_page", { url: "https://example.org/a" }],
    ["something", { url: "https://example.org/a" }],
  ])("%s %j fetches", (name, input) => {
    const url = "https://example.org/a";
    expect(describeToolCall(name, input)).toMatchObject({ kind: "fetch", url, title: `Fetch ${url}`, paths: [] });
  });

  test.each<[string, string[]]>([
    ["mcp__contract__shout", []],
    ["contract_shout", ["contract"]],
    ["contract__shout", ["contract", "con"]],
    ["mcp_contract_shout", ["contract"]],
    ["contract-shout", ["contract"]],
  ])("%s is the tool of an MCP server", (name, mcpServers) => {
    expect(describeToolCall(name, { command: "rm", path: "/etc" }, { mcpServers, directory })).toEqual({
      kind: "mcp",
      title: "Use the tool shout of the MCP server contract",
      subject: "rm",
      paths: [],
      mcpServer: "contract",
      mcpTool: "shout",
    });
  });
});

describe("the most dangerous kind counts", () => {
  const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

  test.each<[string, unknown, string, string[]]>([
    [
      "a patch that edits and deletes",
      { input: patch("*** Update File: a", "-x", "+y", "*** Delete File: b") },
      "delete",
      ["/work/a", "/work/b"],
    ],
    ["a patch in JSON text", JSON.stringify({ patchText: patch("*** Delete File: a") }), "delete", ["/work/a"]],
    [
      "a patch that moves",
      patch("*** Update File: a", "*** Move to: sub/b", "-x", "+y"),
      "move",
      ["/work/a", "/work/sub/b"],
    ],
    ["changes that move", { changes: [{ path: "a", type: "update", move_path: "/b" }] }, "move", ["/work/a", "/b"]],
    ["changes that delete", { changes: [{ path: "a", type: "delete" }] }, "delete", ["/work/a"]],
  ])("%s", (_what, input, kind, paths) => {
    expect(describeToolCall("apply_patch", input, { directory })).toMatchObject({ kind, paths });
  });

  test.each<[string, string, object, string]>([
    ["read", "execute", { command: "cat a" }, "execute"],
    ["exec_command", "read", { command: "cat a" }, "execute"],
    ["unknown", "read", { command: "cat a" }, "execute"],
    ["edit", "delete", { path: "a" }, "delete"],
    ["unknown", "search", { pattern: "a" }, "read"],
    ["unknown", "think", {}, "other"],
    ["TodoWrite", "other", { todos: [] }, "other"],
  ])("%s told as %s with %j", (name, kind, input, expected) => {
    expect(describeToolCall(name, input, { kind, directory })).toMatchObject({ kind: expected });
  });
});

describe("paths", () => {
  test.each([
    ["a", "/work/a"],
    ["./a/../b", "/work/b"],
    ["../../../etc/passwd", "/etc/passwd"],
    ["/work//a/./b/", "/work/a/b"],
    ["~/x", "/home/ada/x"],
    ["~other", "/work/~other"],
    ["file:///etc/a%20b", "/etc/a b"],
    ["C:\\a\\..\\b", "C:\\b"],
  ])("%s is %s", (path, absolute) => {
    expect(describeToolCall("Read", { path }, { directory, home }).paths).toEqual([absolute]);
  });

  test("are told once, also those that the agent names beside the input", () => {
    const told = describeToolCall("edit", { file_path: "a" }, { directory, paths: ["/work/a", "b"] });
    expect(told.paths).toEqual(["/work/a", "/work/b"]);
  });

  test("of a move are where it begins and where it ends", () => {
    const told = describeToolCall("move_file", { source: "a", destination: "/tmp/b" }, { directory });
    expect(told).toMatchObject({ kind: "move", paths: ["/work/a", "/tmp/b"], title: "Move the file a to /tmp/b" });
  });

  test("are where a pattern begins that says it itself", () => {
    expect(describeToolCall("Glob", { pattern: "/etc/ssl/*.pem" }, { directory }).paths).toEqual(["/etc/ssl"]);
    expect(describeToolCall("Glob", { pattern: "**/*.ts" }, { directory }).paths).toEqual([]);
  });

  test("stay as they are where nobody knows the directory", () => {
    expect(describeToolCall("Read", { path: "a/../b" }).paths).toEqual(["a/../b"]);
  });
});

describe("what is not known", () => {
  test.each<[string, unknown, string]>([
    ["Task", { description: "Count lighthouses", prompt: "…" }, "Use Task: Count lighthouses"],
    ["sleep", {}, "Use sleep"],
    ["", undefined, "Use a tool"],
    ["odd", [1, 2], "Use odd"],
    ["odd", '{"not": "yet', "Use odd"],
  ])("%s %j is other", (name, input, title) => {
    expect(describeToolCall(name, input)).toMatchObject({ kind: "other", title, paths: [] });
  });

  test("is told in the agent's own words, where it has some", () => {
    expect(describeToolCall("odd", {}, { title: "Do something odd" }).title).toBe("Do something odd");
    expect(describeToolCall("bash", { command: "ls" }, { title: "Look" }).title).toBe("Run the command ls");
  });
});

test("words of a command are quoted where a shell would take them otherwise", () => {
  const told = describeToolCall("shell", { command: ["echo", "it's", "a b"] });
  expect(told.command).toBe(`echo 'it'\\''s' 'a b'`);
});

test("arguments as JSON text are read, and a long title is cut", () => {
  const told = describeToolCall("Bash", JSON.stringify({ command: "x".repeat(1000) }));
  expect(told.command).toHaveLength(1000);
  expect(told.title).toHaveLength(501);
});
