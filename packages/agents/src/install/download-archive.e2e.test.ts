/** Feared: bytes of two files in one, a download that begins anew each time, or halves that nobody removes. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory, withoutPauses } from "./__fixtures__/installer-world.ts";
import { ReleaseServer } from "./__fixtures__/release-server.ts";
import { downloadArchive } from "./download-archive.ts";
import type { HttpGet } from "./http-get.ts";
import type { InstallProgress } from "./install-progress.ts";
import { retrying } from "./retrying.ts";
import { isDead } from "./write-whole.ts";

const original = "https://vendor.example/tool";
const content = Buffer.from(Array.from({ length: 50_000 }, (_, line) => `${line}\n`).join(""));
const half = 123_456;

let server: ReleaseServer;
let directory: string;
let path: string;
let reports: Pick<InstallProgress, "bytes" | "total">[];

beforeEach(async () => {
  server = await ReleaseServer.start();
  server.put(original, content);
  directory = await temporaryDirectory();
  path = join(directory, "tool");
  reports = [];
});

const integrityOf = (bytes: Uint8Array) =>
  ({ algorithm: "sha256", digests: [createHash("sha256").update(bytes).digest("base64")] }) as const;

function download(expected: Uint8Array = content, { isGzipped = false } = {}): Promise<number> {
  const url = original.replace("https:/", server.url);
  const limits = { ...withoutPauses, stallMs: 300, retryPausesMs: [] };
  const request: HttpGet = {
    url,
    accept: "*/*",
    authorization: undefined,
    step: "download",
    limits,
    network: { proxyOf: () => undefined },
  };
  const onStep = ({ bytes, total }: (typeof reports)[number]) => void reports.push({ bytes, total } as never);
  return retrying(limits.retryPausesMs, () =>
    downloadArchive(request, { integrity: integrityOf(expected), isGzipped }, path, onStep),
  );
}

/** The next answer stops after this many bytes of the body. */
function cutOnce(bytes = half, from = 0): void {
  server.intercept = (_request, response: ServerResponse) => {
    server.intercept = undefined;
    const body = server.get(original).subarray(from);
    const headers = { etag: etagOf(server.get(original)), "content-length": body.length };
    const range = { "content-range": `bytes ${from}-${from + body.length - 1}/${from + body.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...headers, ...range } : headers);
    response.write(body.subarray(0, bytes));
    return true;
  };
}

const etagOf = (bytes: Uint8Array) => `"${createHash("sha256").update(bytes).digest("hex")}"`;

/** Returns how much of it is there. */
async function cutDownload(bytes?: number, from?: number): Promise<number> {
  cutOnce(bytes, from);
  await expect(download()).rejects.toMatchObject({ code: "install_failed", details: { step: "download" } });
  expect(existsSync(path)).toBe(false);
  return statSync(fileOf("download")).size;
}

const fileOf = (end: string) => join(directory, readdirSync(directory).find((name) => name.endsWith(end))!);

const expectWhole = async (expected: Uint8Array = content) => {
  expect((await readFile(path)).equals(expected)).toBe(true);
  expect(readdirSync(directory)).toEqual(["tool"]);
};

const lastHeaders = () => server.requests.at(-1)!.headers;

describe("a download that was cut", () => {
  test("goes on where it stood, if it is the same file, and its bytes are told from there", async () => {
    const kept = await cutDownload();
    reports = [];
    expect(await download()).toBe(content.length - kept);
    expect(lastHeaders()).toMatchObject({ range: `bytes=${kept}-`, "if-range": etagOf(content) });
    expect(reports[0]).toEqual({ bytes: kept, total: content.length });
    expect(reports.at(-1)).toEqual({ bytes: content.length, total: content.length });
    await expectWhole();
  });

  test("several times", async () => {
    const kept = await cutDownload(half, await cutDownload());
    expect(kept).toBeGreaterThan(half);
    expect(await download()).toBe(content.length - kept);
    await expectWhole();
  });

  test("begins anew where the file is another by now", async () => {
    await cutDownload();
    const other = Buffer.from(content).reverse();
    server.put(original, other);
    expect(await download(other)).toBe(other.length);
    await expectWhole(other);
  });

  test("begins anew where the server sends no parts", async () => {
    await cutDownload();
    server.sendsParts = false;
    expect(await download()).toBe(content.length);
    await expectWhole();
  });

  test("whose kept bytes are wrong begins anew, not before the hash says so", async () => {
    await cutDownload();
    await writeFile(fileOf("download"), Buffer.alloc(half));
    await expect(download()).rejects.toMatchObject({ message: expect.stringContaining("not what was announced") });
    expect(readdirSync(directory)).toEqual([]);
    await download();
    await expectWhole();
  });

  test("of which everything was there is fetched again: nothing says that it is whole", async () => {
    await cutDownload();
    await writeFile(fileOf("download"), content);
    await expect(download()).rejects.toMatchObject({ details: { status: 416 } });
    await download();
    await expectWhole();
  });

  test("gets another part than it asked for: nothing is put together", async () => {
    await cutDownload();
    cutOnce(content.length, 10);
    await expect(download()).rejects.toMatchObject({ message: expect.stringContaining("another part") });
    await download();
    await expectWhole();
  });

  test("without anything that names the version of the file is checked by its hash", async () => {
    const kept = await cutDownload();
    await writeFile(fileOf("validator"), "");
    expect(await download()).toBe(content.length - kept);
    expect(lastHeaders()["if-range"]).toBeUndefined();
    await expectWhole();
  });
});

describe("a program that comes compressed", () => {
  const compressed = gzipSync(content);
  beforeEach(() => server.put(original, compressed));

  test("is kept as itself, and checked so, also when it was cut", async () => {
    cutOnce(1_000);
    await expect(download(content, { isGzipped: true })).rejects.toMatchObject({ details: { step: "download" } });
    const kept = statSync(fileOf("download")).size;
    expect(await download(content, { isGzipped: true })).toBe(compressed.length - kept);
    await expectWhole();
  });

  test.each([
    ["that ends too early", compressed.subarray(0, 2_000)],
    ["that is none", Buffer.from("<html>")],
    ["of something else", gzipSync("another")],
  ])("%s is refused, and nothing of it stays", async (_what, bytes) => {
    server.put(original, bytes);
    await expect(download(content, { isGzipped: true })).rejects.toMatchObject({
      message: expect.stringContaining("not what was announced"),
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});

test("halves can be continued for a day, what else is unfinished is dead after minutes", async () => {
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
  expect(isDead("/x/tool.tgz.partial-download", hoursAgo(23))).toBe(false);
  expect(isDead("/x/tool.tgz.partial-download.validator", hoursAgo(25))).toBe(true);
  expect(isDead("/x/tool.tgz.partial-0123", hoursAgo(1))).toBe(true);
  expect(isDead("/x/tool.tgz", hoursAgo(1000))).toBe(false);
});
