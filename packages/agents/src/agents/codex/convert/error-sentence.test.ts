import { expect, test } from "vitest";
import type { CodexErrorInfo } from "../dialect.ts";
import { errorData } from "./error-sentence.ts";

test.each<[CodexErrorInfo, string, string]>([
  ["usageLimitExceeded", "usage_limit_exceeded", "Wait until it is reset"],
  ["contextWindowExceeded", "context_window_exceeded", "new session"],
  ["modelNotFound", "model_not_found", "Choose another model"],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, "unauthorized", "sandbox-agent login codex"],
  [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate_limit_exceeded", "Wait a little"],
  [{ responseStreamConnectionFailed: { httpStatusCode: 502 } }, "internal_server_error", "in a while"],
  [{ responseStreamDisconnected: { httpStatusCode: null } }, "connection_failed", "Check the network"],
])("%j is %s", (codexErrorInfo, code, advice) => {
  const data = errorData({ message: "as it said", codexErrorInfo });
  expect(data).toMatchObject({ code, details: { codexErrorInfo } });
  expect(data.message).toContain(advice);
  expect(data.message).toContain("as it said");
});

test("what Codex calls other is told by its words, or as it is", () => {
  const other = (message: string) => errorData({ message, codexErrorInfo: "other" });
  expect(other("Missing environment variable: `X`.").code).toBe("unauthorized");
  expect(other("something new")).toMatchObject({ code: "other", message: "something new" });
  expect(errorData({}).message).not.toBe("");
});

test.each<[string, CodexErrorInfo]>([
  ["other", "other"],
  ["a status", { responseStreamConnectionFailed: { httpStatusCode: 400 } }],
])("an answer of the model service that Codex repeats whole, with %s, becomes a sentence", (_, codexErrorInfo) => {
  const body = {
    error: { message: "Your input exceeds it.", type: "invalid_request_error", code: "context_length_exceeded" },
  };
  const data = errorData({ message: JSON.stringify(body, null, 2), codexErrorInfo });
  expect(data).toMatchObject({ code: "context_window_exceeded", message: expect.stringContaining("in a new session") });
  expect(data.message).toContain("(Your input exceeds it.)");
  expect(data.message).not.toMatch(/[{}]/);
  expect(errorData({ message: `unexpected status 400: ${JSON.stringify({ a: 1 })}` }).message).not.toMatch(/[{}]/);
});
