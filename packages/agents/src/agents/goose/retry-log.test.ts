import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { retryLog } from "./retry-log.ts";

const startedAt = Date.parse("2026-11-16T02:33:57Z");
const writer = { env: {}, pid: 7, startedAt, nativeSessionId: "20261116_1" };

function line(message: string, sessionId = "20261116_1"): string {
  const span = { "gen_ai.operation.name": "chat", "session.id": sessionId, name: "stream_response_from_provider" };
  return JSON.stringify({ timestamp: "2026-11-16T02:33:58.290859Z", level: "WARN", fields: { message }, span });
}

test("a request that is to be repeated is told in words", () => {
  const said = 'Request failed, retrying (1/3): RateLimitExceeded { details: "Busy", retry_delay: Some(120s) }';
  expect(retryLog.readRetry(line(said), writer)).toBe("The model service gave no answer: rate limit exceeded");
  expect(retryLog.readRetry(line('Request failed, retrying (2/3): ServerError("Oh")'), writer)).toMatch(
    /: server error$/,
  );
});

test("what another conversation met, or what is no such line, is nothing", () => {
  const said = "Request failed, retrying (1/3): RateLimitExceeded {";
  expect(retryLog.readRetry(line(said, "20261116_2"), writer)).toBeUndefined();
  expect(retryLog.readRetry(line("Backing off for 120s before retry"), writer)).toBeUndefined();
  expect(retryLog.readRetry(`half a line with "${said}`, writer)).toBeUndefined();
});

test("its log is looked for where it puts it, among those written to since it was started", async () => {
  const root = await mkdtemp(join(tmpdir(), "goose-log-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = async (name: string, writtenAt: number) => {
    const file = join(root, "goose", "logs", "cli", name);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, "");
    await utimes(file, new Date(writtenAt), new Date(writtenAt));
    return file;
  };
  const mine = await write("2026-11-15/20261115_213357.log", startedAt + 1_000);
  await write("2026-11-15/20261115_200000.log", startedAt - 1_000);
  await write("2026-11-01/20261101_200000.log", startedAt + 1_000);
  expect(await retryLog.files({ ...writer, env: { XDG_STATE_HOME: root } })).toEqual([mine]);
});
