import { expect, test } from "vitest";
import { shownFrom } from "./long-text.ts";

test("a text of usual length is shown whole", () => {
  expect(shownFrom("word ".repeat(12_000))).toBe(0);
});

test("of a longer one the end is shown, from a line's start, and the start seldom moves", () => {
  const line = `${"x".repeat(99)}\n`;
  const starts = new Set<number>();
  for (let lines = 601; lines < 1_500; lines += 1) {
    const text = line.repeat(lines);
    const from = shownFrom(text);
    starts.add(from);
    expect(text.length - from).toBeLessThanOrEqual(60_000);
    expect(text.length - from).toBeGreaterThan(15_000);
    expect(text[from - 1]).toBe("\n");
  }
  expect(starts.size).toBeLessThan(6);
});

test("one line without end is cut anywhere", () => {
  expect(shownFrom("x".repeat(1_000_000))).toBe(960_000);
});
