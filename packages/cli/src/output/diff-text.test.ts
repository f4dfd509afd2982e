import { expect, it } from "vitest";
import { diffStatText, diffText } from "./diff-text.ts";
import { type Paint, paintNothing } from "./terminal.ts";

const marked: Paint = (tone, text) => `<${tone}>${text}`;

it("a diff is coloured by line, headers apart from what looks like them", () => {
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- deleted comment\n+++ added comment\n";
  expect(diffText(diff, marked).split("\n")).toEqual([
    "<bold>diff --git a/x b/x",
    "<bold>--- a/x",
    "<bold>+++ b/x",
    "<cyan>@@ -1,2 +1,2 @@",
    " same",
    "<red>--- deleted comment",
    "<green>+++ added comment",
    "",
  ]);
});

it("what a file holds cannot steer the terminal", () => {
  expect(diffText("+\u001b]0;title\u0007\ttext\n", paintNothing)).toBe("+]0;title\ttext\n");
});

it("the summary has a line for each file", () => {
  const files = [
    { path: "b.txt", oldPath: "a.txt", status: "renamed", additions: 1, deletions: 0 },
    { path: "x.png", status: "added", additions: 0, deletions: 0, binary: true },
  ] as const;
  expect(diffStatText([...files], paintNothing)).toBe(
    "STATUS   ADDED   DELETED  FILE\nrenamed  +1      -0       a.txt → b.txt\nadded    binary           x.png\n",
  );
});
