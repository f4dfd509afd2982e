import { expect, test } from "vitest";
import { retriesSince } from "./retry-log.ts";

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
