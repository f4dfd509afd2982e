import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnsi } from "./parse-ansi.ts";

const plainText = (output: string): string =>
  parseAnsi(output)
    .map(({ text }) => text)
    .join("");

test("styles become names, and end where they end", () => {
  expect(parseAnsi("a\u001b[1;31mb\u001b[0mc")).toEqual([
    { text: "a", classes: [] },
    { text: "b", classes: ["ansi-bold", "ansi-red"] },
    { text: "c", classes: [] },
  ]);
});

test.each([
  ["\u001b[38;5;196mx", ["ansi-red"]],
  ["\u001b[38;2;20;200;30mx", ["ansi-green"]],
  ["\u001b[48;5;21mx", ["ansi-on-blue"]],
  ["\u001b[94;4mx", ["ansi-underline", "ansi-blue"]],
  ["\u001b[mx", []],
])("%j is %j", (output, classes) => {
  expect(parseAnsi(output)).toEqual([{ text: "x", classes }]);
});

test("cursor moves, titles, links and bells leave no trace", () => {
  const link = "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007";
  expect(plainText(`\u001b[2J\u001b[1;1H\u001b]0;title\u001b\\${link}\u0007!`)).toBe("click!");
});

test("a line written over shows its last state", () => {
  expect(plainText("10%\r50%\r100%\ndone\r\n")).toBe("100%\ndone\n");
});

test("whatever is printed, only known names come out", () => {
  const noise = fc.array(fc.constantFrom("\u001b", "[", "]", "m", ";", "3", "8", "5", "\u0007", "\r", "\n", "x", '"'));
  fc.assert(
    fc.property(noise, (pieces) => {
      for (const { text, classes } of parseAnsi(pieces.join(""))) {
        expect(text).not.toContain("\u001b");
        for (const name of classes) expect(name).toMatch(/^ansi-[a-z-]+$/);
      }
    }),
  );
});
