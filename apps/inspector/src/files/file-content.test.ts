import { expect, test } from "vitest";
import { contentOf, isPicture, languageOf } from "./file-content.ts";
import { joinPath, stepsOf } from "./path.ts";

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

test("text is text in any script, anything else is binary", () => {
  expect(contentOf(new TextEncoder().encode("grüße 你好"))).toEqual({ type: "text", text: "grüße 你好" });
  expect(contentOf(bytes())).toEqual({ type: "text", text: "" });
  expect(contentOf(bytes(0xff, 0xfe))).toEqual({ type: "binary" });
  expect(contentOf(bytes(65, 0, 66))).toEqual({ type: "binary" });
});

test("names tell the language and the pictures", () => {
  expect([languageOf("a/b.TS"), languageOf("x.unknown"), languageOf("Makefile")]).toEqual(["typescript", "", ""]);
  expect([isPicture("a.PNG"), isPicture("a.svg"), isPicture("png")]).toEqual([true, true, false]);
});

test("paths go down step by step", () => {
  expect(joinPath("", "a")).toBe("a");
  expect(stepsOf(joinPath("a/b", "c")).map(({ path }) => path)).toEqual(["a", "a/b", "a/b/c"]);
});
