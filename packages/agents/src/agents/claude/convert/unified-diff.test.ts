import { expect, test } from "vitest";
import { creationDiff, unifiedDiff } from "./unified-diff.ts";

test("hunks become a unified diff", () => {
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" one", "-two", "+TWO"] };
  expect(unifiedDiff("/p/a.txt", [hunk])).toBe("--- a/p/a.txt\n+++ b/p/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
});

test.each([
  ["x\ny\n", "@@ -0,0 +1,2 @@\n+x\n+y\n"],
  ["x", "@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n"],
  ["", ""],
])("a new file with %j is all additions", (content, body) => {
  expect(creationDiff("/p/a.txt", content)).toBe(`--- /dev/null\n+++ b/p/a.txt\n${body}`);
});
