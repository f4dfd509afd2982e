import { expect, test } from "vitest";
import { errorData, plainly } from "./error-data.ts";

test.each([
  ["Overloaded", "Overloaded"],
  ['{"error":{"message":"You are too fast","code":7}}', "You are too fast"],
  ['Bad Request: {"message":"no such tool"}', "no such tool"],
  ['Provider returned error [{"a":1}', "Provider returned error"],
  ["Model not found: a/b.\n    at run (/app/index.js:1:2)", "Model not found: a/b."],
  ["JSON parsing failed: Text: {oops", undefined],
  ["Type validation failed: Value: 3", undefined],
  ["Unexpected token o in JSON at position 1", undefined],
  ['{"type":"error"', undefined],
])("of %j a person reads %j", (said, words) => {
  expect(plainly(said)).toBe(words);
});

test("what cannot be read is said in a sentence, and kept in the details", () => {
  const message = 'JSON parsing failed: Text: {"oops.\nError message: SyntaxError';
  const data = errorData({ name: "UnknownError", data: { message } });
  expect(data.message).toMatch(/^The model service answered with something that OpenCode cannot read\. .*\.$/);
  expect(data.details).toMatchObject({ message });
  expect(errorData({ name: "APIError", data: { message: '{"x":1}', statusCode: 500 } }).message).toBe(
    "The model service failed. Send the message again in a while.",
  );
});
