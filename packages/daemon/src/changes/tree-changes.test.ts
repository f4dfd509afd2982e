import { describe, expect, it } from "vitest";
import { cutPatch, parseTreeChanges } from "./tree-changes.ts";

const raw = (letter: string, ...paths: string[]) => `:100644 100644 aaaa bbbb ${letter}\0${paths.join("\0")}\0`;

describe("what git says of two trees", () => {
  it("becomes files with their lines, renames under both names, binaries without lines", () => {
    const output = [
      raw("A", "new.txt"),
      raw("D", "gone.txt"),
      raw("M", "odd\nname\t.txt"),
      raw("R090", "from", "to"),
      raw("T", "link"),
      raw("M", "image.png"),
      "3\t0\tnew.txt\0",
      "0\t2\tgone.txt\0",
      "1\t1\todd\nname\t.txt\0",
      "4\t5\t\0from\0to\0",
      "1\t1\tlink\0",
      "-\t-\timage.png\0",
    ].join("");
    expect(parseTreeChanges(Buffer.from(output))).toEqual([
      { path: "new.txt", status: "added", additions: 3, deletions: 0 },
      { path: "gone.txt", status: "deleted", additions: 0, deletions: 2 },
      { path: "odd\nname\t.txt", status: "modified", additions: 1, deletions: 1 },
      { path: "to", oldPath: "from", status: "renamed", additions: 4, deletions: 5 },
      { path: "link", status: "modified", additions: 1, deletions: 1 },
      { path: "image.png", status: "modified", additions: 0, deletions: 0, binary: true },
    ]);
    expect(parseTreeChanges(Buffer.alloc(0))).toEqual([]);
  });
});

describe("a patch that is too long", () => {
  const one = "diff --git a/one b/one\n+1\n+2\n";
  const two = "diff --git a/two b/two\n+1\n";

  it("is cut between files", () => {
    expect(cutPatch(Buffer.from(one + two), one.length + 15).toString()).toBe(one);
    expect(cutPatch(Buffer.from(one + two), 1_000).toString()).toBe(one + two);
  });

  it("is cut between lines when its first file is too long already", () => {
    expect(cutPatch(Buffer.from(one), one.length - 1).toString()).toBe("diff --git a/one b/one\n+1\n");
  });
});
