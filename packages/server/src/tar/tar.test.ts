import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PackedEntry, readTar, tarEnd, tarHeader, tarPadding } from "./index.ts";

type Item = Omit<PackedEntry, "size"> & { readonly content?: Buffer };

function packed(items: readonly Item[]): Buffer {
  const parts = items.flatMap(({ content = Buffer.alloc(0), ...entry }) => [
    tarHeader({ ...entry, size: content.length }),
    content,
    tarPadding(content.length),
  ]);
  return Buffer.concat([...parts, tarEnd()]);
}

async function unpacked(archive: Buffer, chunkBytes: number) {
  const chunks = Array.from({ length: Math.ceil(archive.length / chunkBytes) }, (_, index) =>
    archive.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const found = [];
  for await (const { entry, bytes } of readTar(chunks)) {
    const { name, kind, mode, mtime, target } = entry;
    found.push({ name, kind, mode, mtime, target, content: await bytes() });
  }
  return found;
}

const odd: readonly Item[] = [
  { name: Buffer.from("plain.txt"), kind: "file", mode: 0o644, mtime: 1_700_000_000_000, content: Buffer.from("x") },
  { name: Buffer.from([0x63, 0xe9, 0xff]), kind: "file", mode: 0o755, mtime: 0, content: Buffer.alloc(512, 1) },
  { name: Buffer.from("a\nb\t'\"ü"), kind: "file", mode: 0o600, mtime: 1000, content: Buffer.alloc(1025, 2) },
  { name: Buffer.from(`${"d".repeat(200)}/${"e".repeat(255)}`), kind: "file", mode: 0o644, mtime: 1000 },
  { name: Buffer.alloc(99, "f"), kind: "directory", mode: 0o700, mtime: 1000 },
  { name: Buffer.alloc(100, "g"), kind: "directory", mode: 0o700, mtime: 1000 },
  { name: Buffer.from("link"), kind: "symlink", mode: 0o777, mtime: 1000, target: Buffer.alloc(300, "t") },
];

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "sandbox-agent-tar-"));
});
afterEach(() => rmSync(place, { recursive: true }));

test.each([1, 7, 512, 1 << 20])(
  "what was packed is read again, byte by byte, from chunks of %i",
  async (chunkBytes) => {
    const found = await unpacked(packed(odd), chunkBytes);
    expect(found).toEqual(
      odd.map(({ name, content = Buffer.alloc(0), kind, target = Buffer.alloc(0), ...rest }) => ({
        ...rest,
        kind,
        target,
        content,
        name: kind === "directory" ? Buffer.concat([name, Buffer.from("/")]) : name,
      })),
    );
  },
);

test("tar itself unpacks what was packed", () => {
  execFileSync("tar", ["-x", "-C", place], { input: packed(odd) });
  expect(readFileSync(join(place, "a\nb\t'\"ü"))).toEqual(Buffer.alloc(1025, 2));
  expect(readdirSync(place, { encoding: "buffer" })).toContainEqual(Buffer.from([0x63, 0xe9, 0xff]));
  expect(readdirSync(join(place, "d".repeat(200)))).toEqual(["e".repeat(255)]);
});

test.each(["gnu", "posix", "ustar", "v7"])("an archive of tar in the format %s is read", async (format) => {
  const deep = `${"d".repeat(60)}/${format === "v7" ? "f" : "e".repeat(90)}`;
  mkdirSync(join(place, "in", "d".repeat(60)), { recursive: true });
  writeFileSync(join(place, "in", deep), "deep");
  symlinkSync("anywhere", join(place, "in", "link"));
  const archive = execFileSync("tar", ["-c", `--format=${format}`, "-C", join(place, "in"), "."]);
  const found = await unpacked(archive, 100);
  const shown = found.map(({ name, kind, content, target }) => [`${name}`, kind, `${content}${target}`]);
  expect(shown.sort()).toEqual([
    ["./", "directory", ""],
    [`./${"d".repeat(60)}/`, "directory", ""],
    [`./${deep}`, "file", "deep"],
    ["./link", "symlink", "anywhere"],
  ]);
});

test("a header that says it is endless is refused before it is held", async () => {
  const whole = packed([{ name: Buffer.alloc(200, "n"), kind: "file", mode: 0o644, mtime: 0 }]);
  const long = Buffer.from(whole.subarray(0, 512));
  long.write("77777777777", 124, "latin1");
  const sum = long.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  long.write(sum.toString(8).padStart(6, "0"), 148, "latin1");
  let given = 0;
  function* endless() {
    yield long;
    for (; given < 1000; given += 1) yield Buffer.alloc(1 << 16, "n");
  }
  await expect(readTar(endless()).next()).rejects.toThrow("longer than 65536 bytes");
  expect(given).toBeLessThan(3);
});

test.each([300, 512, 700, 1024, 1600])("an archive that is cut after %i bytes is refused", async (length) => {
  const whole = packed([{ name: Buffer.from("a"), kind: "file", mode: 0o644, mtime: 0, content: Buffer.alloc(600) }]);
  await expect(unpacked(whole.subarray(0, length), 100)).rejects.toThrow(/cut off|not a tar/);
});

test("an entry that is not read is passed over, and one that is left ends the source", async () => {
  let isClosed = false;
  function* source() {
    try {
      yield packed(odd);
      yield Buffer.alloc(1);
    } finally {
      isClosed = true;
    }
  }
  const names = [];
  for await (const { entry } of readTar(source())) {
    names.push(entry.name.length);
    if (names.length === 3) break;
  }
  expect(names).toEqual([9, 3, 8]);
  expect(isClosed).toBe(true);
});
