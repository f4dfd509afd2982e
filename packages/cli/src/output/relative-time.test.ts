import { expect, it } from "vitest";
import { relativeTime } from "./relative-time.ts";

const now = Date.parse("2026-03-05T12:00:00Z");

it.each([
  [0, "just now"],
  [4_999, "just now"],
  [42_000, "42 s ago"],
  [3 * 60_000, "3 min ago"],
  [59 * 60_000 + 59_000, "59 min ago"],
  [2 * 3_600_000, "2 h ago"],
  [86_400_000, "1 day ago"],
  [5 * 86_400_000, "5 days ago"],
  [60 * 86_400_000, "2026-01-04"],
  [-120_000, "in 2 min"],
])("%i ms before is %s", (before, text) => {
  expect(relativeTime(now - before, now)).toBe(text);
});
