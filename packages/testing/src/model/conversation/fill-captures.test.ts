import { expect, test } from "vitest";
import { fillCaptures } from "./fill-captures.ts";
import { type ModelRequest, modelMessage } from "./model-request.ts";

const request: ModelRequest = {
  model: "m",
  stream: true,
  system: "Write your plan to /plans/old.md",
  tools: [],
  messages: [modelMessage("user", { texts: ["Now to /plans/new.md or /plans/newest.md"] })],
};

test("a step uses what the newest match in the request was", () => {
  const toolCalls = [{ name: "Write", input: { path: "{{plan}}", lines: ["see {{plan}}", 1, null] } }];
  const { step, missing } = fillCaptures({ toolCalls, capture: { plan: /(\/plans\/\w+\.md)/ } }, request);
  expect(step.toolCalls?.[0]?.input).toEqual({ path: "/plans/newest.md", lines: ["see /plans/newest.md", 1, null] });
  expect(missing).toEqual([]);
});

test("a capture that finds nothing is told, and its place stays", () => {
  const { step, missing } = fillCaptures({ text: "id {{id}}", capture: { id: { regex: "id=(\\d+)" } } }, request);
  expect(step.text).toBe("id {{id}}");
  expect(missing).toEqual(["id"]);
});
