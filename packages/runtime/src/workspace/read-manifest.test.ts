/** Feared: a sandbox that lies about its workspace fills the memory, or names files that are not in it. */
import { expect, test } from "vitest";
import { MemoryCheckpointStore } from "../store/memory/memory-checkpoint-store.ts";
import { fetchContents } from "./fetch-contents.ts";
import { readManifest, WorkspaceFault } from "./read-manifest.ts";

const hash = "0".repeat(64);
const file = (path: string, more: object = {}) =>
  `${JSON.stringify({ type: "file", path, mode: 0o644, size: 1, mtime: 0, hash, ...more })}\n`;
const directory = (path: string) => `${JSON.stringify({ type: "directory", path, mode: 0o755 })}\n`;
const link = (path: string) => `${JSON.stringify({ type: "symlink", path, target: "/" })}\n`;
const mebibyte = 1024 * 1024;
const end = `${JSON.stringify({ type: "end", entries: 1, bytes: 1, leftOut: {} })}\n`;

async function* streamOf(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

test("a manifest is read from pieces of any size", async () => {
  const text = `${directory("a")}${file("a/ü")}${JSON.stringify({ type: "left_out", path: ".env", reason: "secret" })}\n${end}`;
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (const byte of bytes) yield Buffer.from([byte]);
  }
  const { entries, summary } = await readManifest(pieces());
  expect([...entries.values()]).toMatchObject([{ path: "a" }, { path: "a/ü" }]);
  expect(summary.examples).toEqual([{ path: ".env", reason: "secret" }]);
});

test.each(["../x", "/etc/passwd", "a/../../x", "a//b", "./a", "a/.", "..", "", "a\0b", "x".repeat(5_000)])(
  "a path that leads elsewhere is refused: %j",
  async (path) => {
    await expect(readManifest(streamOf(file(path), end))).rejects.toBeInstanceOf(WorkspaceFault);
    const hidden = file("fine", { pathBytes: Buffer.from(path).toString("base64") });
    await expect(readManifest(streamOf(hidden, end))).rejects.toBeInstanceOf(WorkspaceFault);
  },
);

test.each<[string, string]>([
  ["no JSON", "{\n"],
  ["no hash", file("a", { hash: "../../x" }) + end],
  ["no size", file("a", { size: -1 }) + end],
  ["a mode beyond permissions", file("a", { mode: 0o4755 }) + end],
  ["a file in nothing", file("a/b") + end],
  ["a file in a file", file("a") + file("a/b") + end],
  ["a file in a link", link("a") + file("a/b") + end],
  ["a directory that becomes a link", directory("a") + file("a/b") + link("a") + end],
  ["the same path in other words", file("a") + file("x", { pathBytes: Buffer.from("a").toString("base64") }) + end],
  ["a file larger than any", file("a", { size: 101 * mebibyte }) + end],
  [
    "more than a workspace may have",
    Array.from({ length: 22 }, (_, n) => file(`f${n}`, { size: 100 * mebibyte })).join("") + end,
  ],
])("a manifest is refused: %s", async (_, text) => {
  await expect(readManifest(streamOf(text))).rejects.toBeInstanceOf(WorkspaceFault);
});

test("a manifest that was cut off is none, which may be an accident", async () => {
  await expect(readManifest(streamOf(file("a")))).rejects.toThrow("cut off");
});

test("a million entries, and a line without an end, are refused long before", async () => {
  let given = 0;
  async function* many() {
    for (; given < 1_000_000; given += 1_000) {
      yield Buffer.from(Array.from({ length: 1_000 }, (_, index) => file(`f${given + index}`)).join(""));
    }
  }
  await expect(readManifest(many())).rejects.toThrow("more than 120000 entries");
  expect(given).toBeLessThan(200_000);
  let lines = 0;
  async function* endless() {
    for (; lines < 10_000; lines += 1) yield Buffer.alloc(10_000, "x");
  }
  await expect(readManifest(endless())).rejects.toThrow("endless line");
  expect(lines).toBeLessThan(20);
});

test("an archive that is larger than what was listed is refused, and never held", async () => {
  const store = new MemoryCheckpointStore(() => {});
  const header = Buffer.alloc(512);
  header.write("a", 0);
  header.write("0000644\0", 100);
  header.write("77777777777", 124);
  header.write("0", 156);
  header.write("ustar\0", 257);
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  let given = 0;
  async function* bomb() {
    yield header;
    for (; given < 10_000; given += 1) yield Buffer.alloc(1 << 20);
  }
  const listed = { type: "file", path: "a", mode: 0o644, size: 1, mtime: 0, hash } as const;
  await expect(fetchContents(store, [listed], async () => bomb())).rejects.toThrow("more than it has listed");
  expect(given).toBeLessThan(3);
});
