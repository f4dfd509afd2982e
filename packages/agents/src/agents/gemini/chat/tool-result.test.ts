import { expect, test } from "vitest";
import { toolResult } from "./tool-result.ts";

const call = (response: object, more: object = {}) => ({
  id: "c",
  status: "success",
  result: [{ functionResponse: { id: "c", name: "t", response } }],
  ...more,
});
const shell = (text: string) => call({ output: `<untrusted_context>\n${text}\n</untrusted_context>` });

test("a command's output is told without its wrapping, and with its exit code", () => {
  expect(toolResult(shell("Output: hi\nProcess Group PGID: 42"))).toMatchObject({ output: "hi", failed: false });
  expect(toolResult(shell("Output: (empty)\nProcess Group PGID: 42"))).toMatchObject({ output: "", failed: false });
  const failed = toolResult(shell("Output: broken\nExit Code: 3\nProcess Group PGID: 42"));
  expect(failed).toMatchObject({ output: "broken\nExit Code: 3", failed: true });
});

test("a command that prints such words itself has not failed", () => {
  expect(toolResult(call({ output: "Exit Code: 3" })).failed).toBe(false);
});

test("an error is a failure, whatever the status says", () => {
  expect(toolResult(call({ error: "no" }))).toMatchObject({ output: "no", failed: true });
  expect(toolResult({ id: "c", status: "error" })).toMatchObject({ output: "", failed: true });
});

test("changes of files and images are found", () => {
  const resultDisplay = { fileDiff: "…", filePath: "/w/a", originalContent: "", newContent: "x" };
  expect(toolResult(call({ output: "ok" }, { resultDisplay })).change).toEqual({ path: "/w/a", after: "x" });
  const inlineData = { mimeType: "image/png", data: "AA==" };
  const result = [{ functionResponse: { id: "c", response: { output: "an image" }, parts: [{ inlineData }] } }];
  expect(toolResult({ id: "c", result }).images).toEqual([inlineData]);
});
