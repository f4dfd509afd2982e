import { expect, test } from "vitest";
import { inputOf, takenId, takenName } from "./foreign-call.ts";

test.each([
  ["Web Fetch", "Web_Fetch"],
  ["mcp.server/tool", "mcp_server_tool"],
  ["", "tool"],
  ["x".repeat(70), "x".repeat(64)],
])("the tool %j is called %j", (name, taken) => {
  expect(takenName(name)).toBe(taken);
});

test("an id keeps its length", () => {
  expect(takenId(`call:${"x".repeat(70)}`)).toBe(`call_${"x".repeat(70)}`);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ["[1]", { input: [1] }],
  ["null", { input: null }],
  ["not JSON", { input: "not JSON" }],
])("the input %s is %j", (text, input) => {
  expect(inputOf(text)).toEqual(input);
});
