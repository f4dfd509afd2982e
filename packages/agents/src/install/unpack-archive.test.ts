/** Feared: an archive that writes outside of its directory. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PackageFiles, packageArchive } from "@sandbox-agent-ts/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory } from "./__fixtures__/installer-world.ts";
import { type ZipEntry, zipArchive } from "./__fixtures__/zip-archive.ts";
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

test("files at the root, with and without a dot in front, where no folder is to be taken away", async () => {
  await writeFile(
    archive,
    await packageArchive([
      { name: "./", type: "directory" },
      { name: "./tool", content: "one" },
      { name: "lib/other", content: "two" },
    ]),
  );
  const files = await unpackArchive(archive, target, { format: { kind: "tgz", strip: 0 }, executable: "tool" });
  expect([...files.keys()]).toEqual(["tool", "lib/other"]);
  expect(await readFile(join(target, "tool"), "utf8")).toBe("one");
});

test("the program itself gets its name, and may be run", async () => {
  await writeFile(archive, "the program");
  const reports: (number | undefined)[] = [];
  await unpackArchive(archive, target, {
    format: { kind: "raw" },
    executable: "tool",
    onStep: ({ bytes }) => reports.push(bytes),
  });
  expect(await readFile(join(target, "tool"), "utf8")).toBe("the program");
  expect(statSync(join(target, "tool")).mode & 0o777).toBe(0o755);
  expect(reports.at(-1)).toBe(11);
});

describe("a zip", () => {
  const unzip = async (entries: readonly ZipEntry[], { strip = 0 as 0 | 1, comment = "" } = {}) => {
    await writeFile(archive, zipArchive(entries, comment));
    return unpackArchive(archive, target, { format: { kind: "zip", strip }, executable: "tool" });
  };

  test("packed, stored, empty, in folders, with a comment behind it", async () => {
    const large = "0123456789".repeat(100_000);
    const files = await unzip(
      [
        { name: "lib/", mode: 0o040755 },
        { name: "lib/large", content: large },
        { name: "tool", content: "stored", isStored: true },
        { name: "empty", mode: 0 },
      ],
      { comment: "PK is how a zip begins" },
    );
    expect([...files.keys()].sort()).toEqual(["empty", "lib/large", "tool"]);
    expect(await readFile(join(target, "lib/large"), "utf8")).toBe(large);
    expect(await readFile(join(target, "tool"), "utf8")).toBe("stored");
    const modes = ["tool", "empty", "lib/large"].map((name) => statSync(join(target, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o644, 0o644]);
  });

  test("with everything in one folder", async () => {
    await unzip(
      [
        { name: "tool-1.0/", mode: 0o040755 },
        { name: "tool-1.0/tool", content: "x" },
      ],
      { strip: 1 },
    );
    expect(readdirSync(target)).toEqual(["tool"]);
  });

  test.each<[string, ZipEntry, RegExp]>([
    ["a name with ..", { name: "../evil", content }, /leads out/],
    ["an absolute name", { name: "/tmp/evil", content }, /leads out/],
    ["a name with a backslash", { name: "..\\evil", content }, /leads out/],
    ["a link", { name: "link", content: "../..", mode: 0o120777 }, /is a symlink/],
    ["a device", { name: "device", mode: 0o020666 }, /is a thing of unknown kind/],
    ["more than is announced", { name: "bomb", content: "0".repeat(5_000_000), size: 100 }, /damaged/],
    ["less than is announced", { name: "x", content: "x", size: 100 }, /damaged/],
    ["more than any program has", { name: "x", content: "x", size: 0xfffffffe }, /damaged/],
    ["another sum", { name: "x", content: "x", crc: 1 }, /damaged/],
    ["something encrypted", { name: "x", content: "x", flags: 1 }, /packed in a way that is not read/],
    ["something packed in another way", { name: "x", content: "x", method: 12 }, /packed in a way that is not read/],
  ])("with %s is refused, and nothing is written outside", async (_what, entry, sentence) => {
    await expect(unzip([entry])).rejects.toMatchObject({
      code: "install_failed",
      message: expect.stringMatching(sentence),
      details: { step: "unpack" },
    });
    expect(outside()).toEqual(["a", "archive.tgz", "b"]);
    expect(existsSync("/tmp/evil")).toBe(false);
  });

  test("whose list says that there is more than any program has", async () => {
    const large = (name: string) => ({ name, content: "x", size: 0xfffffff0 });
    const bombs = [large("one"), large("two"), large("three")];
    await expect(unzip(bombs)).rejects.toMatchObject({ details: { step: "unpack" } });
  });

  test("that is cut anywhere is refused", async () => {
    const whole = zipArchive([{ name: "tool", content: "x".repeat(1_000), isStored: true }]);
    for (const length of [0, 10, 500, whole.length - 30, whole.length - 1]) {
      await writeFile(archive, whole.subarray(0, length));
      const unpacking = unpackArchive(archive, target, { format: { kind: "zip", strip: 0 } });
      await expect(unpacking).rejects.toMatchObject({ code: "install_failed", details: { step: "unpack" } });
    }
  });
});
