import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownFile, writeOwnFile } from "./own-file.ts";

test("the same text is the same file, written by any number of sessions at once, for nobody else to read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "own-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const data = join(folder, "data");
  const files = ["one", "one", "other"].map((text) => ownFile(data, "policy.toml", text));
  const [first, second, other] = await Promise.all(files.map(writeOwnFile));
  expect(first).toBe(second);
  expect(other).not.toBe(first);
  expect(await readFile(first!, "utf8")).toBe("one");
  expect((await stat(first!)).mode & 0o777).toBe(0o600);
  expect((await readdir(data)).every((name) => /^policy-[0-9a-f]{16}\.toml$/.test(name))).toBe(true);
});
