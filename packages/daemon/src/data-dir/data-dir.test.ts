import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { openDataDir } from "./data-dir.ts";

test("a directory that everybody may write is refused; a new one inside it is not", async () => {
  const directory = join(temporaryDirectory(), "open");
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  await expect(openDataDir(directory)).rejects.toThrow(
    `The data directory ${directory} can be written by everybody. Choose another with --data-dir`,
  );
  const { release } = await openDataDir(join(directory, "ours"));
  release();
});

test.skipIf(process.getuid?.() === 0)("a directory of another user is refused (root may use any)", async () => {
  await expect(openDataDir("/")).rejects.toThrow("The data directory / belongs to another user.");
});
