import fc from "fast-check";
import { expect, test } from "vitest";
import { textChunks } from "./text-chunks.ts";

test("chunks joined are the text again, are never empty and never many", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      const chunks = textChunks(text);
      expect(chunks.join("")).toBe(text);
      expect(chunks).not.toContain("");
      expect(chunks.length).toBeLessThanOrEqual(200);
    }),
  );
});

test("a chunk is a word with the space after it", () => {
  expect(textChunks("one  two\nthree")).toEqual(["one  ", "two\n", "three"]);
});

test("a long text has as few chunks as a short one may have", () => {
  expect(textChunks("word ".repeat(100_000)).length).toBeLessThanOrEqual(200);
});
