import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTrustedFolder } from "./trusted-folders.ts";

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trusted-folders-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "trustedFolders.json");
  await writeFile(file, text);
  return file;
}

const rules = { "/work/mine": "TRUST_FOLDER", "/code/one": "TRUST_PARENT", "/work/mine/theirs": "DO_NOT_TRUST" };

test.each([
  ["/work/mine", true],
  ["/work/mine/deep/below", true],
  ["/work/mine-too", false],
  ["/code/two", true],
  ["/work/mine/theirs/below", false],
  ["/work", false],
])("%s: %s", async (directory, trusted) => {
  expect(await isTrustedFolder(await fileWith(JSON.stringify(rules)), directory)).toBe(trusted);
});

test("nothing is trusted by a file that is not there or cannot be read", async () => {
  expect(await isTrustedFolder("/nowhere/trustedFolders.json", "/work")).toBe(false);
  expect(await isTrustedFolder(await fileWith("{ broken"), "/work")).toBe(false);
});
