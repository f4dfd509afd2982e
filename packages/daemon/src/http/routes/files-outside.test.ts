import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { everyOperation, refused } from "../../files/__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, plantSymlinks } from "../../files/__fixtures__/file-world.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

const inRoot = (...names: string[]) => join(world.root, ...names);

describe("what leads outside is 403 for every operation", () => {
  test.each([
    "..",
    "../outside/canary",
    "session/../../outside/canary",
    "way-out/canary",
    "way-out/nest/new",
    "way-out/new/deep/er",
    "relative-out/canary",
    "dangling/x",
    "zero\0byte",
    "/etc/passwd",
    "/etc/passwd/below",
    "/",
    "/nowhere/at/all",
  ])("%j", async (path) => {
    plantSymlinks(world);
    writeFileSync(inRoot("mover"), "");
    for (const [method, url, init] of everyOperation(path)) {
      expect(await refused(world, method, url, init), `${method} ${url}`).toMatch(/^403 permission_denied: /);
    }
  });

  test.each(["file-out", "way-out", "dangling"])("a symlink at the end is not followed out: %s", async (path) => {
    plantSymlinks(world);
    for (const [method, url, init] of everyOperation(path)) {
      if (method === "DELETE" || url.includes("move")) continue;
      expect(await refused(world, method, url, init), `${method} ${url}`).toMatch(/^403 permission_denied: /);
    }
  });

  test("the sentence names the way that is allowed", async () => {
    const allowed = `Use a path inside ${JSON.stringify(world.root)}`;
    expect(await refused(world, "GET", "/v1/fs/file?path=/etc/passwd")).toContain(allowed);
  });
});

test.each([
  ["a name of 300 bytes", "n".repeat(300)],
  ["a path of 5,000 bytes", "n/".repeat(2500)],
  ["a circle of symlinks", "loop/x"],
])("%s is an invalid request", async (_, path) => {
  plantSymlinks(world);
  writeFileSync(inRoot("mover"), "");
  for (const [method, url, init] of everyOperation(path)) {
    expect(await refused(world, method, url, init), `${method} ${url}`).toMatch(/^400 invalid_request: /);
  }
});
