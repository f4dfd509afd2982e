import { expect, test } from "vitest";
import { permissionAnswer, questionAnswer } from "./answers.ts";

test.each([
  ["once", { decision: "accept" }],
  ["always", { decision: "accept" }],
  ["reject", { decision: "decline" }],
] as const)("%s for a command or a change", (reply, answer) => {
  expect(permissionAnswer({ kind: "approval" }, reply)).toEqual(answer);
});

test.each([
  ["once", { action: "accept", content: {}, _meta: null }],
  ["always", { action: "accept", content: {}, _meta: null }],
  ["reject", { action: "decline", content: null, _meta: null }],
] as const)("%s for a tool of an MCP server", (reply, answer) => {
  expect(permissionAnswer({ kind: "mcpTool" }, reply)).toEqual(answer);
});

test.each([
  ["once", { permissions: { network: true }, scope: "turn" }],
  ["always", { permissions: { network: true }, scope: "session" }],
  ["reject", { permissions: {}, scope: "turn" }],
] as const)("%s for more permissions", (reply, answer) => {
  expect(permissionAnswer({ kind: "permissions", permissions: { network: true } }, reply)).toEqual(answer);
});

test("answers stand under the ids of their questions, and who declines gives none", () => {
  const form = { kind: "questions", ids: ["a", "b"] } as const;
  expect(questionAnswer(form, [["Blue"]])).toEqual({ answers: { a: { answers: ["Blue"] }, b: { answers: [] } } });
  expect(questionAnswer(form, null)).toEqual({ answers: {} });
});

test("a form of an MCP server is filled in with values of the right type, or declined", () => {
  const fields = [
    { name: "sure", type: "boolean" },
    { name: "count", type: "integer" },
    { name: "word", type: "string" },
  ];
  const content = { sure: true, count: 3, word: "hello" };
  expect(questionAnswer({ kind: "form", fields }, [["Yes"], ["3"], ["hello"]])).toEqual({
    action: "accept",
    content,
    _meta: null,
  });
  expect(questionAnswer({ kind: "form", fields }, null)).toMatchObject({ action: "decline" });
});
