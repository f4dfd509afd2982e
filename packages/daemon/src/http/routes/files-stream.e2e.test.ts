import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { json as readJson } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type FileWorld, makeFileWorld } from "../../files/__fixtures__/file-world.ts";
import { type LiveServer, serveLive } from "../../files/__fixtures__/live-server.ts";
import { readFile } from "../../files/read-file.ts";

const mebibyte = 1024 * 1024;
const large = 64 * mebibyte;

let world: FileWorld;
let live: LiveServer;
beforeEach(async () => {
  world = makeFileWorld();
  live = await serveLive(world.app);
});
afterEach(async () => {
  await live.close();
  await world.remove();
});

const fileUrl = () => `${live.url}/v1/fs/file?path=f`;
const inRoot = (name: string) => join(world.root, name);
const temporaries = () => readdirSync(world.root).filter((name) => name.endsWith(".tmp"));

function* chunks(total: number) {
  for (let sent = 0; sent < total; sent += mebibyte) yield Buffer.alloc(mebibyte, sent / mebibyte + 1);
}

function digest(parts: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const chunk of parts) hash.update(chunk);
  return hash.digest("hex");
}

test("64 MiB go up and come down again, byte for byte", async () => {
  const upload = request(fileUrl(), { method: "PUT" });
  const answer = once(upload, "response");
  await pipeline(chunks(large), upload);
  expect(await readJson((await answer)[0])).toEqual({ path: inRoot("f"), bytesWritten: large });

  const [download] = (await once(get(fileUrl()), "response")) as [IncomingMessage];
  expect(download.headers["content-length"]).toBe(String(large));
  const hash = createHash("sha256");
  for await (const chunk of download) hash.update(chunk);
  expect(hash.digest("hex")).toBe(digest(chunks(large)));
});

describe("a download", () => {
  const response = async () => (await once(get(fileUrl()), "response"))[0] as IncomingMessage;

  test("to a reader that stalls is not read ahead: cutting the file breaks it off", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    writeFileSync(inRoot("f"), Buffer.alloc(large));
    const download = await response();
    await once(download, "data");
    download.pause();
    truncateSync(inRoot("f"), 0);
    let received = 0;
    download.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    await expect(once(download.resume(), "end")).rejects.toThrow("aborted");
    expect(received).toBeLessThan(large / 2);
  });

  test.skipIf(process.platform !== "linux")("closes its file when the client goes away (needs /proc)", async () => {
    writeFileSync(inRoot("f"), Buffer.alloc(large));
    const download = await response();
    await once(download, "data");
    expect(openFiles()).toBe(1);
    download.destroy();
    await vi.waitFor(() => expect(openFiles()).toBe(0));
  });

  test.skipIf(process.platform !== "linux")("closes its file at the end and for HEAD (needs /proc)", async () => {
    writeFileSync(inRoot("f"), "content");
    expect(await (await fetch(fileUrl())).text()).toBe("content");
    expect((await fetch(fileUrl(), { method: "HEAD" })).headers.get("content-length")).toBe("7");
    await vi.waitFor(() => expect(openFiles()).toBe(0));
  });

  test.skipIf(process.platform !== "linux")(
    "that nobody waits for any more closes its file (needs /proc)",
    async () => {
      writeFileSync(inRoot("f"), "content");
      const file = await readFile(world.access, { path: "f" });
      expect(openFiles()).toBe(1);
      file.stream(AbortSignal.abort());
      await vi.waitFor(() => expect(openFiles()).toBe(0));
    },
  );
});

/** How many descriptors of this process point to the file under test. */
function openFiles(): number {
  const target = (descriptor: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return undefined;
    }
  };
  return readdirSync("/proc/self/fd").filter((descriptor) => target(descriptor) === inRoot("f")).length;
}

describe("an upload", () => {
  test("reaches the disk as it arrives, and leaves the old file when the client goes away", async () => {
    writeFileSync(inRoot("f"), "old");
    const upload = request(fileUrl(), { method: "PUT" });
    upload.write(Buffer.alloc(mebibyte));
    await vi.waitFor(() => expect(statSync(inRoot(temporaries()[0] ?? "none")).size).toBe(mebibyte));
    upload.on("error", () => undefined).destroy();
    await vi.waitFor(() => expect(temporaries()).toEqual([]));
    expect(readFileSync(inRoot("f"), "utf8")).toBe("old");
  });

  test("of a hostile archive is answered before it is over", async () => {
    const packing = pack();
    packing.entry({ name: "../escape" }, "x");
    const [start] = await once(packing as unknown as NodeJS.EventEmitter, "data");
    const headers = { "content-type": "application/x-tar" };
    const upload = request(`${live.url}/v1/fs/upload-batch`, { method: "POST", headers });
    upload.write(start);
    const [answer] = (await once(upload, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(403);
    upload.on("error", () => undefined).destroy();
  });
});
