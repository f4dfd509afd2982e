import { expect, test } from "vitest";
import { retryLog } from "./retry-log.ts";

const writer = { env: {}, pid: 7, startedAt: 0, nativeSessionId: "s1" };
const start = "2026-11-16T02:34:02.666Z [WARNING] [rust:model_events::producer] Model provider request failed";

test("that it waits before it asks again is told, with the time", () => {
  const line = `${start} {"stage":"inference","api_endpoint":"/chat/completions","http_status":429,"failure_kind":"http_error","retry_after_ms":120000}`;
  expect(retryLog.readRetry(line, writer)).toBe("The model service answered 429, and to ask again in 120 seconds");
});

test("a failure after which it does not wait is told over the protocol, and not here", () => {
  const line = `${start} {"stage":"inference","api_endpoint":"/chat/completions","http_status":500,"failure_kind":"http_error"}`;
  expect(retryLog.readRetry(line, writer)).toBeUndefined();
});
