import { describe, expect, it } from "vitest";
import { hangingWords, wrapWords } from "./wrap-words.ts";

describe("wrapping", () => {
  it("breaks between words, and what fits stays as it is", () => {
    expect(wrapWords("It was the best of times, it was the worst of times", 20)).toEqual([
      "It was the best of",
      "times, it was the",
      "worst of times",
    ]);
    expect(wrapWords("exactly twenty wide.", 20)).toEqual(["exactly twenty wide."]);
    expect(wrapWords("", 20)).toEqual([""]);
  });

  it("keeps line breaks, and a word that is too long in one piece", () => {
    const path = "/home/someone/.local/share/sandbox-agent";
    expect(wrapWords(`one\nIt is in ${path} now.`, 24)).toEqual(["one", "It is in", path, "now."]);
  });

  it("does not break a command", () => {
    expect(wrapWords("Run `sandbox-agent login claude`, or set A_KEY.", 22)).toEqual([
      "Run",
      "`sandbox-agent login claude`,",
      "or set A_KEY.",
    ]);
  });

  it("counts columns, not characters", () => {
    expect(wrapWords("日本語日本語 日本語日本語", 20)).toEqual(["日本語日本語", "日本語日本語"]);
  });

  it("indents what follows the first line, and leaves a narrow terminal alone", () => {
    expect(hangingWords("a sentence that needs more than a line", 26, 4)).toBe(
      "a sentence that needs\n    more than a line",
    );
    expect(hangingWords("a sentence that needs more than a line", 20, 4)).toBe(
      "a sentence that needs more than a line",
    );
  });
});
