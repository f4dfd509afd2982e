import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { FsUploadBatchResponse } from "@sandbox-agent-ts/protocol";
import { type Header, pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, refused } from "./__fixtures__/file-client.ts";
import { type FileWorld, makeFileWorld, plantSymlinks } from "./__fixtures__/file-world.ts";
import { treeSnapshot } from "./__fixtures__/tree-snapshot.ts";

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

type TarItem = Partial<Header> & { name: string; content?: string };

async function tar(...items: TarItem[]): Promise<Buffer> {
  const packing = pack();
  for (const { content = "", ...header } of items) packing.entry(header, content);
  packing.finalize();
  return buffer(packing as AsyncIterable<Uint8Array>);
}

const call = (body: Buffer, path: string) => {
  const headers = { "content-type": "application/x-tar" };
  return ["POST", `/v1/fs/upload-batch?path=${path}`, { body, headers }] as const;
};
const inTarget = (...names: string[]) => join(world.root, "target", ...names);

async function unpack(...items: TarItem[]): Promise<FsUploadBatchResponse> {
  const answer = await ask(world, ...call(await tar(...items), "target"));
  expect(answer.status, answer.text).toBe(200);
  return FsUploadBatchResponse.parse(answer.json());
}

describe("an archive", () => {
  test("is unpacked into a directory that is made for it", async () => {
    const answer = await unpack(
      { name: "./", type: "directory" },
      { name: "./a/", type: "directory" },
      { name: "./a/f", content: "hello" },
      { name: "deep/er/g", content: "" },
      { name: "empty/", type: "directory" },
    );
    expect(answer).toEqual({ paths: [inTarget("a", "f"), inTarget("deep", "er", "g")], truncated: false });
    expect(readFileSync(inTarget("a", "f"), "utf8")).toBe("hello");
    expect(readdirSync(inTarget()).sort()).toEqual(["a", "deep", "empty"]);
  });

  test("keeps permissions and nothing above them", async () => {
    await unpack({ name: "run", mode: 0o6755 }, { name: "private", mode: 0o600 });
    expect(statSync(inTarget("run")).mode & 0o7777).toBe(0o755);
    expect(statSync(inTarget("private")).mode & 0o7777).toBe(0o600);
  });

  test("may have long and foreign names", async () => {
    const long = `${"d".repeat(90)}/${"e".repeat(90)}/${"f".repeat(200)}`;
    await unpack({ name: long, content: "long" }, { name: "日本/ü", content: "foreign" });
    expect(readFileSync(inTarget(long), "utf8")).toBe("long");
    expect(readFileSync(inTarget("日本", "ü"), "utf8")).toBe("foreign");
  });

  test("replaces files, and writes through links that stay in the target", async () => {
    mkdirSync(inTarget("real"), { recursive: true });
    symlinkSync("real", inTarget("link"));
    writeFileSync(inTarget("real", "f"), "old");
    expect((await unpack({ name: "link/f", content: "new" })).paths).toEqual([inTarget("real", "f")]);
    expect(readFileSync(inTarget("real", "f"), "utf8")).toBe("new");
  });

  test("without entries is fine", async () => {
    expect(await unpack()).toEqual({ paths: [], truncated: false });
  });

  test("of more than 1,024 files is unpacked whole, its paths are not all listed", async () => {
    const items = Array.from({ length: 1030 }, (_, index) => ({ name: `f${index}` }));
    const answer = await unpack(...items);
    expect([answer.paths.length, answer.truncated]).toEqual([1024, true]);
    expect(readdirSync(inTarget())).toHaveLength(1030);
  });
});

describe("a hostile entry is refused and touches nothing outside", () => {
  const inTheWay = { name: "mischief", content: "x" };
  test.each<[string, TarItem[]]>([
    ["..", [{ name: "../outside/canary", content: "x" }]],
    [".. in the middle", [{ name: "a/../../../outside/canary", content: "x" }]],
    [".. as a directory", [{ name: "../outside/new/", type: "directory" }]],
    [".. in a PAX name", [{ name: `${"a".repeat(200)}/../../../outside/canary`, content: "x" }]],
    ["an absolute name", [{ name: "/tmp/mischief", content: "x" }]],
    [
      "a symlink",
      [
        { name: "way", type: "symlink", linkname: "../../outside" },
        { name: "way/canary", content: "x" },
      ],
    ],
    ["a hard link", [{ name: "hard", type: "link", linkname: "../../outside/canary" }, inTheWay]],
    ["a device", [{ name: "null", type: "character-device", devmajor: 1, devminor: 3 }, inTheWay]],
    ["a disk", [{ name: "disk", type: "block-device", devmajor: 8, devminor: 0 }, inTheWay]],
    ["a pipe", [{ name: "pipe", type: "fifo" }, inTheWay]],
    ["a link that was there", [{ name: "way-out/canary", content: "x" }]],
    ["a file link that was there", [{ name: "file-out", content: "x" }]],
    ["a dangling link that was there", [{ name: "dangling", content: "x" }]],
    ["a directory through a link", [{ name: "way-out/new/", type: "directory" }]],
  ])("%s", async (_, items) => {
    plantSymlinks(world);
    const before = treeSnapshot(world.outside);
    const body = await tar({ name: "first", content: "stays" }, ...items);
    expect(await refused(world, ...call(body, "."))).toMatch(/^403 permission_denied: /);
    expect(treeSnapshot(world.outside)).toEqual(before);
    expect(readFileSync(join(world.root, "first"), "utf8")).toBe("stays");
    expect(existsSync(join(world.root, "mischief"))).toBe(false);
  });

  test("a link from the target into another allowed directory is no way out either", async () => {
    mkdirSync(inTarget());
    symlinkSync(world.session, inTarget("link"));
    const body = await tar({ name: "link/f", content: "x" });
    expect(await refused(world, ...call(body, "target"))).toMatch(/^403 permission_denied: "link\/f" leads outside/);
    expect(readdirSync(world.session)).toEqual([]);
  });

  test("the sentence names the entry", async () => {
    const body = await tar({ name: "../x", content: "" });
    expect(await refused(world, ...call(body, "target"))).toContain('The archive entry "../x" has ".."');
  });
});

describe("what is not a whole tar is refused", () => {
  const cut = (keep: (whole: Buffer) => number) => async () => {
    const whole = await tar({ name: "a", content: "a".repeat(2000) }, { name: "b", content: "b" });
    return whole.subarray(0, keep(whole));
  };
  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ["cut in a header", cut(() => 300), /^400 invalid_request/],
    ["cut in a file", cut(() => 1500), /^400 invalid_request/],
    ["cut between entries", cut(() => 2560), /^400 invalid_request: The archive has no end mark/],
    ["cut in the end mark", cut((whole) => whole.length - 512), /^400 invalid_request/],
    ["empty", async () => Buffer.alloc(0), /^400 invalid_request/],
    ["noise", async () => Buffer.alloc(4096, "noise"), /^400 invalid_request: The archive cannot be read/],
    ["gzipped", async () => gzipSync(await tar({ name: "a" })), /^415 unsupported_media_type: The archive is gzipped/],
  ])("%s", async (_, body, expected) => {
    expect(await refused(world, ...call(await body(), "target"))).toMatch(expected);
    expect(readdirSync(inTarget()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("another content type", async () => {
    const body = await tar({ name: "a" });
    for (const type of ["application/gzip", "application/octet-stream", "application/x-tarball"]) {
      const init = { body, headers: { "content-type": type } };
      expect(await refused(world, "POST", "/v1/fs/upload-batch", init)).toMatch(/^415 unsupported_media_type/);
    }
    const init = { body, headers: { "content-type": "Application/X-Tar; charset=binary" } };
    expect((await ask(world, "POST", "/v1/fs/upload-batch", init)).status).toBe(200);
  });
});
