import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "./__fixtures__/temporary-directory.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

describe.each([true, false])("a file replaced in one step (durable: %s)", (durable) => {
  it("has the new text, and is for its owner alone", () => {
    const path = join(temporaryDirectory(), "file");
    writeFileAtomic(path, "one, which is longer", { durable });
    writeFileAtomic(path, "two", { durable });
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("does not write through a link that somebody put in its way", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "file");
    writeFileSync(join(directory, "theirs"), "theirs");
    symlinkSync(join(directory, "theirs"), `${path}.new`);
    writeFileAtomic(path, "ours", { durable });
    expect(readFileSync(join(directory, "theirs"), "utf8")).toBe("theirs");
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("ours");
  });

  it("keeps the old text when the new one cannot be written", () => {
    const path = join(temporaryDirectory(), "file");
    writeFileAtomic(path, "old", { durable });
    mkdirSync(`${path}.new`);
    expect(() => writeFileAtomic(path, "new", { durable })).toThrow("EISDIR");
    expect(readFileSync(path, "utf8")).toBe("old");
  });
});
