import { expect, test } from "vitest";
import { retryLog } from "./retry-log.ts";

const writer = { env: { HOME: "/home/me" }, pid: 7, startedAt: 0, nativeSessionId: "s1" };

test.each([
  [
    "2026-11-16T02:34:04.513Z [WARN] [RETRY] Attempt 1 failed with status 429. Retrying with backoff... Error: 429 Busy",
    "The model service answered 429",
  ],
  [
    "2026-11-16T02:50:21.187Z [ERROR] [RETRY] Attempt 2 failed with status 500. Retrying with backoff... Error: 500 Oh",
    "The model service answered 500",
  ],
  ["2026-11-16T02:34:04.506Z [ERROR] [OPENAI_ERROR] OpenAI API Error: 429 Busy", undefined],
  [
    "2026-11-16T02:34:01.020Z [DEBUG] [QWEN_LOGGER] QwenLogger: Re-queued 1 events for retry (queue size: 1)",
    undefined,
  ],
])("the line %s tells %j", (line, told) => {
  expect(retryLog.readRetry(line, writer)).toBe(told);
});

test.each([
  [{}, "/home/me/.qwen/debug/s1.txt"],
  [{ QWEN_HOME: "/q" }, "/q/debug/s1.txt"],
  [{ QWEN_HOME: "/q", QWEN_RUNTIME_DIR: "/r" }, "/r/debug/s1.txt"],
])("with %j the log is %s", async (env, file) => {
  expect(await retryLog.files({ ...writer, env: { ...writer.env, ...env } })).toEqual([file]);
});
