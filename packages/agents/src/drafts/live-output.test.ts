import { expect, test } from "vitest";
import { newOutput, roomFor } from "./live-output.ts";

test.each([
  ["", "a\n", "a\n"],
  ["a\n", "a\nb\n", "b\n"],
  ["a\n", "a\n", ""],
])("after %j comes %j with %j", (before, now, piece) => {
  expect(newOutput(before, now)).toBe(piece);
});

test("of an output whose beginning was cut off only what follows is new", () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join("");
  expect(newOutput(lines, `...\n\n${lines.slice(2000)}and on`)).toBe("and on");
  expect(newOutput(lines, "...\n\nsomething else")).toBe("...\n\nsomething else");
});

test("only so much is shown while a command runs", () => {
  expect(roomFor("x".repeat(64 * 1024 - 2), "abc")).toBe("ab");
  expect(roomFor("x".repeat(64 * 1024), "abc")).toBe("");
});
