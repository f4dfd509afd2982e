import { describe, expect, it } from "vitest";
import { oneLine, shorten, textWidth, withoutControls } from "./text-width.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["grüße", 5],
    ["e\u0301", 1],
    ["日本", 4],
    ["한글", 4],
    ["👍🏽", 2],
    ["👨‍👩‍👧", 2],
    ["❤️", 2],
    ["…→✓", 3],
  ])("%j is %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("shortening", () => {
  it.each([
    ["fits", 4, "end", "fits"],
    ["too long", 5, "end", "too …"],
    ["/home/me/programs/claude", 13, "middle", "/home/…claude"],
    ["日本語", 5, "end", "日本…"],
    ["日本語", 4, "end", "日…"],
    ["👍🏽👍🏽👍🏽", 3, "end", "👍🏽…"],
    ["abc", 1, "end", "…"],
    ["abc", 0, "end", ""],
  ] as const)("%j to %i columns at its %s", (text, columns, where, expected) => {
    expect(shorten(text, columns, where)).toBe(expected);
    expect(textWidth(shorten(text, columns, where))).toBeLessThanOrEqual(columns);
  });
});

it("control characters are taken out, line breaks only where one line is wanted", () => {
  expect(oneLine("a\nb\u001b[31mc\u2028d")).toBe("a b [31mc d");
  expect(withoutControls("a\nb\t\u001b[31mc\r")).toBe("a\nb\t[31mc");
});
