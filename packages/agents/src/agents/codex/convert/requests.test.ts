import { expect, test } from "vitest";
import { isReallyInside } from "../../../permissions/really-inside.ts";
import { beginningState } from "../__fixtures__/recordings.ts";
import { decidedByMode, readAsk } from "./requests.ts";

const { setting } = beginningState();

test("a form of an MCP server becomes a question for each of its fields", () => {
  const properties = {
    city: { type: "string", title: "City" },
    size: { type: "string", enum: ["S", "L"] },
    now: { type: "boolean", description: "At once?" },
  };
  const ask = { serverName: "shop", mode: "form", message: "Please say:", requestedSchema: { properties } };
  expect(readAsk("mcpServer/elicitation/request", ask, undefined, setting)).toMatchObject({
    type: "question",
    questions: [
      { header: "shop", prompt: "Please say: City", options: [] },
      { prompt: "Please say: size", options: [{ label: "S" }, { label: "L" }] },
      { prompt: "Please say: At once?", options: [{ label: "Yes" }, { label: "No" }] },
    ],
    answer: { kind: "form", fields: [{ name: "city" }, { name: "size" }, { name: "now", type: "boolean" }] },
  });
});

test.each([
  ["mcpServer/elicitation/request", { mode: "url", url: "http://example.invalid" }],
  ["item/tool/call", { itemId: "c" }],
  ["item/tool/requestUserInput", { questions: [] }],
])("%s is nothing a person here can be asked", (method, ask) => {
  expect(readAsk(method, ask, undefined, setting)).toBeUndefined();
});

test("a file change that leaves the directory is not accepted by mode acceptEdits", () => {
  const edit = (...paths: string[]) => ({
    type: "fileChange",
    changes: paths.map((path) => ({ path, kind: { type: "add" } })),
  });
  const isInside = (path: string) => isReallyInside("/workspace", path);
  const accepting = { permissionMode: "acceptEdits", isInside } as const;
  expect(decidedByMode(accepting, edit("/workspace/a", "b/c"))).toBe("once");
  for (const path of ["/etc/passwd", "../up", "/workspace", "/workspace/../x"]) {
    expect(decidedByMode(accepting, edit("/workspace/a", path)), path).toBeUndefined();
  }
  expect(decidedByMode(accepting, { type: "commandExecution" })).toBeUndefined();
  expect(decidedByMode({ permissionMode: "acceptEdits" }, edit("/workspace/a"))).toBeUndefined();
  expect(decidedByMode({ permissionMode: "default", isInside }, edit("/workspace/a"))).toBeUndefined();
});
