import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FileWorld, makeFileWorld } from "./__fixtures__/file-world.ts";
import type { FileAccess } from "./file-access.ts";
import { moveEntry } from "./move-entry.ts";

const memoryDisk = "/dev/shm";
const here = makeFileWorld();
const twoDevices = existsSync(memoryDisk) && statSync(memoryDisk).dev !== statSync(here.root).dev;
await here.remove();

describe.skipIf(!twoDevices)("moving to another device (needs a /dev/shm apart from the temporary directory)", () => {
  let world: FileWorld;
  let far: string;
  let access: FileAccess;
  beforeEach(() => {
    world = makeFileWorld();
    far = mkdtempSync(join(memoryDisk, "sandbox-agent-files-"));
    access = { ...world.access, roots: () => [world.root, far] };
  });
  afterEach(async () => {
    rmSync(far, { recursive: true });
    await world.remove();
  });

  const move = (overwrite: boolean) => moveEntry(access, { from: "d", to: join(far, "d"), overwrite });

  function plantTree() {
    mkdirSync(join(world.root, "d", "inner"), { recursive: true });
    writeFileSync(join(world.root, "d", "inner", "f"), "content");
    chmodSync(join(world.root, "d", "inner", "f"), 0o750);
    utimesSync(join(world.root, "d", "inner", "f"), 1, 2);
    chmodSync(join(world.root, "d", "inner"), 0o750);
    symlinkSync(world.outside, join(world.root, "d", "out"));
  }

  test("copies everything, links as links, and takes the original away", async () => {
    plantTree();
    await move(false);
    expect(existsSync(join(world.root, "d"))).toBe(false);
    expect(readFileSync(join(far, "d", "inner", "f"), "utf8")).toBe("content");
    expect(statSync(join(far, "d", "inner", "f"))).toMatchObject({ mtimeMs: 2000 });
    expect(statSync(join(far, "d", "inner", "f")).mode & 0o777).toBe(0o750);
    expect(statSync(join(far, "d", "inner")).mode & 0o777).toBe(0o750);
    expect(readlinkSync(join(far, "d", "out"))).toBe(world.outside);
    expect(readdirSync(far)).toEqual(["d"]);
  });

  test("what cannot be copied leaves both sides as they were", async () => {
    plantTree();
    execFileSync("mkfifo", [join(world.root, "d", "pipe")]);
    mkdirSync(join(far, "d"));
    writeFileSync(join(far, "d", "old"), "");
    await expect(move(true)).rejects.toMatchObject({ code: "invalid_request" });
    expect(readdirSync(join(world.root, "d")).sort()).toEqual(["inner", "out", "pipe"]);
    expect(readdirSync(far)).toEqual(["d"]);
    expect(readdirSync(join(far, "d"))).toEqual(["old"]);
  });
});
