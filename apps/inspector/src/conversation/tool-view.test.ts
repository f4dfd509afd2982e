import type { ContentPart, UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { toolViewOf } from "./tool-view.ts";

const item = (kind: "tool_call" | "tool_result", status: UniversalItem["status"], ...content: ContentPart[]) =>
  ({ item_id: kind, kind, status, content }) satisfies UniversalItem;

const callOf = (input: unknown, status: UniversalItem["status"] = "completed") =>
  item("tool_call", status, { type: "tool_call", name: "T", arguments: JSON.stringify(input), call_id: "c" });

const view = (input: unknown, ...parts: ContentPart[]) => {
  const result = item("tool_result", "completed", { type: "tool_result", call_id: "c", output: "out" }, ...parts);
  return toolViewOf({ key: "k", call: callOf(input), result, inside: [] });
};

test.each([
  [{ command: "ls" }, "ls"],
  [{ cmd: ["git", "status"] }, "git status"],
  [{ limit: 3, file_path: "/a/b.ts" }, "/a/b.ts"],
  [{ anything: "first line\nsecond" }, "first line"],
  [{ pattern: "TODO", path: "src" }, "TODO"],
  [{ command: ["bash", "-lc", "npm test"] }, "npm test"],
  [{ n: 1 }, ""],
  ["{broken", ""],
])("%j is told by %j", (input, summary) => {
  expect(view(input).summary).toBe(summary);
});

test.each([
  ["Bash", { command: "ls" }, "execute", "ls"],
  ["str_replace_editor", { command: "view", path: "a.ts" }, "read", undefined],
  ["apply_patch", { patchText: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch" }, "delete", undefined],
])("%s is told by what it does, not by a field that is called command", (name, input, kind, command) => {
  const part = { type: "tool_call" as const, name, arguments: JSON.stringify(input), call_id: "c" };
  const call = item("tool_call", "completed", part);
  expect(toolViewOf({ key: "k", call, result: undefined, inside: [] })).toMatchObject({ kind, command });
});

test("a command's exit code, output and state", () => {
  const done = view({ command: "x" }, { type: "json", json: { exit_code: 2 } });
  expect(done).toMatchObject({ command: "x", output: "out", exitCode: 2, state: "done" });
  const use = { key: "k", call: callOf({}, "in_progress"), result: undefined, inside: [] };
  expect(toolViewOf(use).state).toBe("running");
  expect(toolViewOf({ ...use, call: callOf({}, "failed") }).state).toBe("failed");
});

test("a change told twice is one, and reading is none", () => {
  const { changes } = view(
    {},
    { type: "file_ref", path: "a", action: "read" },
    { type: "file_ref", path: "b", action: "patch", diff: "@@ -1 +1 @@\n-x\n+y" },
    { type: "file_ref", path: "b", action: "patch" },
  );
  expect(changes).toMatchObject([{ path: "b", diff: { added: 1, removed: 1 } }]);
});
