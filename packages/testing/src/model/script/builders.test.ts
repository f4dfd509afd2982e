import { expect, test } from "vitest";
import { callTool, cut, fail, hang, say, step, think } from "./builders.ts";
import { parseScript } from "./parse-script.ts";

test("a step is put together from parts, and its tool calls are parallel", () => {
  const built = step(
    think("hm"),
    say("Let me look."),
    callTool("Bash", { command: "ls" }),
    callTool("Read", {}, "id-1"),
  );
  expect(built).toEqual({
    reasoning: "hm",
    text: "Let me look.",
    toolCalls: [
      { name: "Bash", input: { command: "ls" } },
      { name: "Read", input: {}, id: "id-1" },
    ],
  });
});

test("what the builders make is a valid script", () => {
  const steps = [
    fail(429, { retryAfterSeconds: 1 }),
    fail("in-stream", { type: "overloaded_error" }),
    step(say("a"), cut(1)),
    step(say("b"), hang()),
    callTool("apply_patch", "*** Begin Patch"),
  ];
  expect(parseScript(steps).steps).toEqual([
    { error: { status: 429, retryAfterSeconds: 1 } },
    { error: { type: "overloaded_error" } },
    { text: "a", cut: 1 },
    { text: "b", hang: true },
    { toolCalls: [{ name: "apply_patch", input: "*** Begin Patch" }] },
  ]);
});
