import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diffTexts } from "./unified-diff.ts";

test("a line that changed, among those that did not", () => {
  expect(diffTexts("/a/b.txt", "1\n2\n3\n", "1\ntwo\n3\n")).toBe(
    "--- a/a/b.txt\n+++ b/a/b.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n",
  );
});

test("a file that was not there, and one without a newline at its end", () => {
  expect(diffTexts("b.txt", undefined, "1\n")).toBe("--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+1\n");
  expect(diffTexts("b.txt", "", "1")).toContain("+1\n\\ No newline at end of file\n");
  expect(diffTexts("b.txt", "1\n", "1\n")).toBe("--- a/b.txt\n+++ b/b.txt\n");
});

test("texts with too many differences are replaced as a whole", () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join("");
  const diff = diffTexts("b.txt", lines("before"), lines("after"));
  expect(diff.match(/^@@ /gm)).toHaveLength(1);
  expect(applyPatch(lines("before"), diff)).toBe(lines("after"));
});

const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "-\n", "é\n", "d")).map((lines) => lines.join(""));

test("a diff applied to what was gives what is", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyPatch(before, diffTexts("f", before, after))).toBe(after);
    }),
  );
});
