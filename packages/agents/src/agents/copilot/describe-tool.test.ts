import { expect, test } from "vitest";
import type { AcpToolCall, AcpUpdate } from "../../acp/dialect.ts";
import { describeRequest, describeTool } from "./describe-tool.ts";
import { rewriteUpdate } from "./rewrite-update.ts";

function request(diff: string) {
  return describeRequest({ kind: "edit", locations: [{ path: "/w/b" }], rawInput: { fileName: "/w/b", diff } });
}

function header(before: string, after: string): string {
  return `diff --git a${before} b${after}\nindex 0000000..0000000 100644\n--- a${before}\n+++ b${after}\n@@ -1,1 +1,1 @@\n`;
}

function toolOf(update: AcpUpdate) {
  return describeTool(rewriteUpdate(update)[0] as AcpToolCall);
}

test("a request names every file of its diff, and what becomes of it", () => {
  const diff = `\n${header("/w/a b", "/w/c")}-x\n+y\n\n${header("/w/d", "/dev/null")}-x\n${header("/dev/null", "/w/e").replace("index", "create file mode 100644\\nindex")}+x\n`;
  expect(request(diff).rawInput).toMatchObject({
    changes: [
      { type: "update", path: "/w/a b", move_path: "/w/c" },
      { type: "delete", path: "/w/d" },
      { type: "add", path: "/w/e" },
    ],
  });
});

test("a line of a file that looks like the head of a diff is none", () => {
  const diff = `${header("/w/a", "/w/a")}+diff --git a/w/x b/dev/null\n+index 0..0\n+--- a/w/x\n++++ b/dev/null\n`;
  expect(request(diff).rawInput).toMatchObject({ changes: [{ type: "update", path: "/w/a" }] });
});

test("a tool of an MCP server is no shell, though its input has a command", () => {
  const update = { sessionUpdate: "tool_call", kind: "other", title: "contract-run", rawInput: { command: "ls" } };
  expect(toolOf(update).name).toBe("contract-run");
});

test("the model's own words are no name of a tool", () => {
  const update = {
    sessionUpdate: "tool_call",
    kind: "other",
    title: "contract-run",
    rawInput: { description: "contract-run" },
  };
  expect(toolOf(update)).toEqual({});
});
