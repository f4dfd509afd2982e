import { expect, test } from "vitest";
import { parseDiff } from "./parse-diff.ts";

const diff = `--- a/x.sql
+++ b/x.sql
@@ -3,3 +3,3 @@ create
 select 1;
--- a comment
+-- another
 select 2;
@@ -20 +20,2 @@
-a
+b
+c
\\ No newline at end of file
`;

test("lines have their numbers, also those that look like headers", () => {
  const { lines, added, removed } = parseDiff(diff);
  expect([added, removed]).toEqual([3, 2]);
  expect(lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ["gap", "create", undefined, undefined],
    ["same", "select 1;", 3, 3],
    ["del", "-- a comment", 4, undefined],
    ["add", "-- another", undefined, 4],
    ["same", "select 2;", 5, 5],
    ["gap", "", undefined, undefined],
    ["del", "a", 20, undefined],
    ["add", "b", undefined, 20],
    ["add", "c", undefined, 21],
  ]);
});

test("several files in one, and a new file", () => {
  const text =
    "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+one\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n";
  expect(parseDiff(text).lines.map(({ kind, text: line }) => `${kind} ${line}`)).toEqual([
    "add one",
    "gap ",
    "del x",
    "add y",
  ]);
});

test("what is no diff is shown as it is", () => {
  expect(parseDiff("hello\nworld").lines.map(({ kind, text }) => [kind, text])).toEqual([
    ["same", "hello"],
    ["same", "world"],
  ]);
});
