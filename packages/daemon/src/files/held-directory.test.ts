import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HeldDirectory } from "@sandbox-agent-ts/agents/held-directory";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileWorld, makeFileWorld } from "./__fixtures__/file-world.ts";
import { isInside } from "./jail.ts";

// The fear: a directory is checked, then swapped for a symlink, then used.
let world: FileWorld;
let checked: string;
beforeEach(() => {
  world = makeFileWorld();
  checked = join(world.root, "checked");
  mkdirSync(checked);
});
afterEach(() => world.remove());

function swapForSymlink(): string {
  const moved = join(world.root, "moved");
  renameSync(checked, moved);
  symlinkSync(world.outside, checked);
  return moved;
}

const insideRoot = (real: string) => isInside(world.root, real);

test("a swap before the directory is opened is noticed", async () => {
  mkdirSync(join(checked, "nest"));
  swapForSymlink();
  await expect(HeldDirectory.open(checked, insideRoot)).rejects.toThrow("ENOTDIR");
  expect(await HeldDirectory.open(join(checked, "nest"), insideRoot)).toBeUndefined();
});

test.skipIf(process.platform !== "linux")(
  "a swap after it does not redirect what is done in it (needs /proc)",
  async () => {
    writeFileSync(join(checked, "canary"), "ours");
    const held = await HeldDirectory.open(checked, insideRoot);
    if (!held) throw new Error("the directory was refused");
    const moved = swapForSymlink();
    expect(await readFile(held.at("canary"), "utf8")).toBe("ours");
    await writeFile(held.at("new"), "x");
    await (await held.makeChild("made")).close();
    await held.close();
    expect(readdirSync(moved).sort()).toEqual(["canary", "made", "new"]);
    expect(readdirSync(world.outside).sort()).toEqual(["canary", "nest"]);
  },
);

test("it never steps down through a symlink", async () => {
  symlinkSync(world.outside, join(checked, "out"));
  const held = await HeldDirectory.open(checked, insideRoot);
  await expect(held?.child("out")).rejects.toThrow("ENOTDIR");
  await expect(held?.makeChild("out")).rejects.toThrow("ENOTDIR");
  await held?.close();
});
