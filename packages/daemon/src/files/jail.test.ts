import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileWorld, makeFileWorld } from "./__fixtures__/file-world.ts";
import { isInside, locate } from "./jail.ts";
import { statEntry } from "./stat-entry.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/ab", false],
  ["/a/b", "/a", false],
  ["/", "/a", true],
  ["/", "/", true],
])("%s holds %s: %s", (directory, path, expected) => {
  expect(isInside(directory, path)).toBe(expected);
});

test("a place names what exists, resolved, and what does not", async () => {
  mkdirSync(join(world.session, "real"));
  symlinkSync("session/real", join(world.root, "link"));
  const existing = join(world.session, "real");
  expect(await locate([world.root], world.root, "link/new/file")).toEqual({
    path: join(existing, "new", "file"),
    existing,
    rest: ["new", "file"],
  });
  expect(await locate([world.root], world.root, "link", "itself")).toMatchObject({ path: join(world.root, "link") });
});

test("a base may be reached through symlinks", async () => {
  writeFileSync(join(world.session, "f"), "");
  const base = join(world.outside, "way-in");
  symlinkSync(world.session, base);
  expect((await locate([world.root], base, "f")).path).toBe(join(world.session, "f"));
});

test("a root that is a symlink admits nothing: it could have been put there later", async () => {
  const root = join(world.root, "swapped");
  symlinkSync(world.outside, root);
  await expect(locate([root], root, "canary")).rejects.toMatchObject({ code: "permission_denied" });
});

test("with the whole disk as root everything is inside", async () => {
  const access = { roots: () => ["/"], base: () => "/" };
  expect(await statEntry(access, { path: "/" })).toMatchObject({ path: "/", entryType: "directory" });
  expect(await statEntry(access, { path: join(world.outside, "canary") })).toMatchObject({ entryType: "file" });
});

test("without a root nothing is", async () => {
  await expect(locate([], world.root, "x")).rejects.toThrow("No directory is allowed.");
});
