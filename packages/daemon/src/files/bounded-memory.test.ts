import { readdirSync, statSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { pack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileWorld, makeFileWorld } from "./__fixtures__/file-world.ts";
import { readFile } from "./read-file.ts";
import { uploadTar } from "./tar-upload.ts";
import { writeFile } from "./write-file.ts";

// The fear: a large body piles up in memory because reading runs ahead of writing. Neither may ever hold more than a little.
const mebibyte = 1024 * 1024;
const total = 64 * mebibyte;

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

function bytesOnDisk(): number {
  const files = readdirSync(world.root).filter((name) => name !== "session");
  return files.reduce((sum, name) => sum + statSync(join(world.root, name)).size, 0);
}

/** Passes chunks on and notes how far the disk lags behind what was asked for. */
async function* watchLag(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, seen: { lag: number }) {
  let given = 0;
  for await (const chunk of body) {
    seen.lag = Math.max(seen.lag, given - bytesOnDisk());
    yield chunk;
    given += chunk.length;
  }
}

function* mebibytes() {
  for (let sent = 0; sent < total; sent += mebibyte) yield Buffer.alloc(mebibyte);
}

test("a file is on disk before more of it is asked for", async () => {
  const seen = { lag: 0 };
  await writeFile(world.access, { path: "f" }, watchLag(mebibytes(), seen));
  expect(seen.lag).toBe(0);
  expect(bytesOnDisk()).toBe(total);
});

test("an archive stays a few buffers ahead of the disk, whatever its size", async () => {
  const packing = pack();
  const file = packing.entry({ name: "f", size: total });
  const writing = (async () => {
    for (const chunk of mebibytes())
      if (!file.write(chunk)) await new Promise<void>((resolve) => file.once("drain", () => resolve()));
    file.end(undefined);
    packing.finalize();
  })();
  const seen = { lag: 0 };
  await uploadTar(world.access, { path: "." }, watchLag(packing as AsyncIterable<Uint8Array>, seen));
  await writing;
  expect(bytesOnDisk()).toBe(total);
  expect(seen.lag).toBeLessThan(8 * mebibyte);
});

test("a file is not read before its bytes are asked for", async () => {
  await writeFile(world.access, { path: "f" }, mebibytes());
  const file = await readFile(world.access, { path: "f" });
  const reader = file.stream(new AbortController().signal).getReader();
  const { value } = await reader.read();
  await truncate(join(world.root, "f"), value?.length ?? 0);
  await expect(reader.read()).rejects.toThrow("shrank");
});
