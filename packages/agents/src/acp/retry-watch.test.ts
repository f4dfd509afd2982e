import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { RetryWatch, retriesSince } from "./retry-watch.ts";

const readRetry = (line: string) => / met (.+)$/.exec(line)?.[1];
const now = Date.parse("2026-11-16T02:34:04.500Z");

test.each([
  ["2026-11-16T02:34:04.513Z [WARN] met 429", ["429"]],
  ['{"timestamp":"2026-11-16T02:34:05.290859Z","message":" met 429', ["429"]],
  ["2026-11-16T02:34:04.499Z [WARN] met 429", []],
  ["2026-11-16T02:34:04.513Z [WARN] all is well", []],
  // The rest of a line whose beginning was not read: nobody knows when it was.
  ["met 429", []],
])("the line %s tells of %j", (line, expected) => {
  expect(retriesSince(now, [line], readRetry)).toEqual(expected);
});

test.each([
  ["what failed before the turn is over", undefined, ["2", "3"]],
  ["what failed before the model answered is over", 10_000, ["3"]],
])("%s", async (_, answeredAfter, expected) => {
  const folder = await mkdtemp(join(tmpdir(), "retry-watch-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(folder, "a.log");
  const at = (ms: number) => new Date(now + ms).toISOString();
  await writeFile(file, `${at(-1)} met 1\n${at(5_000)} met 2\n${at(10_000)} met 3\n`);

  const met = vi.fn();
  const watch = new RetryWatch({ files: async () => [file], readRetry }, met);
  onTestFinished(() => watch.end());
  watch.begin({ env: {}, pid: 7, startedAt: now, nativeSessionId: "s1" });
  if (answeredAfter !== undefined) {
    vi.setSystemTime(now + answeredAfter);
    watch.answered();
  }
  await vi.waitFor(() => expect(met).toHaveBeenCalled(), { timeout: 20_000 });
  expect(met.mock.calls.flat()).toEqual(expected);
});
