import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { splitWords } from "./split-words.ts";

it.each([
  "goose acp",
  "  a   b\tc ",
  "'a b' c",
  `"a b"c d`,
  `a\\ b "x\\"y" '\\n' ''`,
  `--flag='it'\\''s' "\\a"`,
  "ünïcode 'ä ö'",
])("%s has the same words as for a shell", (line) => {
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  expect(splitWords(line)).toEqual(printed.split("\0").slice(0, -1));
});

it("has no words where there are none", () => {
  expect(splitWords("  ")).toEqual([]);
});

it.each(["'open", `a "open`, "end\\"])("%s has no end", (line) => {
  expect(splitWords(line)).toBeUndefined();
});
