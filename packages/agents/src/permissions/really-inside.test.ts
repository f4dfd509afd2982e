/** Feared: an edit that is said to be in the directory and ends up elsewhere. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isReallyInside } from "./really-inside.ts";

let root: string;
let work: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "really-inside-")));
  work = join(root, "work");
  await mkdir(join(work, "src"), { recursive: true });
  await mkdir(join(root, "outside"));
  await writeFile(join(work, "src", "a.ts"), "");
  await symlink(root, join(work, "out"));
  await symlink("src", join(work, "in"));
  await symlink("../outside/new.txt", join(work, "dangling"));
  await symlink("src/new.txt", join(work, "dangling-in"));
  await symlink("loop", join(work, "loop"));
  await symlink(join(work, "dangling"), join(work, "twice"));
  await symlink(work, join(root, "alias"));
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  ["src/a.ts", true],
  ["src/new/deep/b.ts", true],
  ["in/new.ts", true],
  ["dangling-in", true],
  ["../work/src/a.ts", true],
  ["src/..b", true],
  ["..c", true],
  [".", false],
  ["", false],
  ["..", false],
  ["../outside/x", false],
  ["src/../../outside/x", false],
  ["out/outside/x", false],
  ["out/new/deep/x", false],
  ["dangling", false],
  ["twice", false],
  ["loop", false],
  ["loop/x", false],
  ["src/a.ts/x", false],
  ["/etc/passwd", false],
  ["/", false],
])("%j is inside: %s", (path, expected) => {
  expect(isReallyInside(work, path)).toBe(expected);
  expect(isReallyInside(join(root, "alias"), path)).toBe(expected);
});

test("absolute paths by another name of the directory are inside, and a directory beside it is not", () => {
  expect(isReallyInside(work, join(root, "alias", "src", "a.ts"))).toBe(true);
  expect(isReallyInside(work, join(root, "work-2", "a"))).toBe(false);
});

test("a directory that is not there is judged by its name", () => {
  expect(isReallyInside("/no/such/directory", "a.ts")).toBe(true);
  expect(isReallyInside("/no/such/directory", "../a.ts")).toBe(false);
});
