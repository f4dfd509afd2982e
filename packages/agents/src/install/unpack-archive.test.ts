/** Feared: an archive that writes outside of its directory. */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PackageFiles, packageArchive } from "@sandbox-agent-ts/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory } from "./__fixtures__/installer-world.ts";
import { unpackArchive } from "./unpack-archive.ts";

let root: string;
let target: string;
let archive: string;

beforeEach(async () => {
  root = await temporaryDirectory();
  target = join(root, "a", "b");
  archive = join(root, "archive.tgz");
  await mkdir(target, { recursive: true });
});

async function unpack(files: PackageFiles): Promise<void> {
  await writeFile(archive, await packageArchive(files));
  await unpackArchive(archive, target, { executable: "bin/tool" });
}

const content = "evil";
const outside = () => [...readdirSync(root), ...readdirSync(join(root, "a"))].sort();

describe("is refused, and nothing is written outside", () => {
  test.each<[string, PackageFiles]>([
    ["a name with ..", [{ name: "package/../../evil", content }]],
    ["a name that is ..", [{ name: "..", content }]],
    ["a name with .. that stays inside", [{ name: "package/x/../evil", content }]],
    ["an absolute name", [{ name: "/tmp/evil", content }]],
    ["a name with a backslash", [{ name: "package/..\\..\\evil", content }]],
    ["a file beside the package's folder", [{ name: "evil", content }]],
    ["a link", [{ name: "package/link", type: "symlink", linkname: "../.." }]],
    [
      "a file through a link",
      [
        { name: "package/link", type: "symlink", linkname: "../.." },
        { name: "package/link/evil", content },
      ],
    ],
    ["a hard link", [{ name: "package/link", type: "link", linkname: "/etc/passwd" }]],
    ["a device", [{ name: "package/device", type: "character-device" }]],
    ["a pipe", [{ name: "package/pipe", type: "fifo" }]],
  ])("%s", async (_what, files) => {
    await expect(unpack(files)).rejects.toMatchObject({
      code: "install_failed",
      message: expect.stringMatching(/^The package cannot be trusted: its entry ".*" /),
      details: { step: "unpack" },
    });
    expect(outside()).toEqual(["a", "archive.tgz", "b"]);
    expect(existsSync("/tmp/evil")).toBe(false);
  });

  test.each([
    ["no gzip", async () => Buffer.from("plain text")],
    ["a gzip of something else", async () => (await packageArchive({ x: "x" })).subarray(0, 40)],
    ["an archive cut in the middle", async () => (await packageArchive({ x: "x".repeat(100_000) })).subarray(0, 100)],
  ])("%s", async (_what, bytes) => {
    await writeFile(archive, await bytes());
    await expect(unpackArchive(archive, target, { executable: "bin/tool" })).rejects.toMatchObject({
      code: "install_failed",
      details: { step: "unpack" },
    });
  });
});

test("a name that occurs twice is the later file", async () => {
  await unpack([
    { name: "package/x", content: "the longer first" },
    { name: "package/x", content: "second" },
  ]);
  expect(await readFile(join(target, "x"), "utf8")).toBe("second");
});

test("names too long for a plain tar", async () => {
  const name = `${"long/".repeat(60)}file`;
  await unpack({ [name]: "x" });
  expect(await readFile(join(target, name), "utf8")).toBe("x");
});
