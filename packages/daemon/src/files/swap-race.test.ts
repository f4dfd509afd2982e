import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { pack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileWorld, makeFileWorld, secret } from "./__fixtures__/file-world.ts";
import { treeSnapshot } from "./__fixtures__/tree-snapshot.ts";

// The fear: while requests run, somebody keeps swapping a directory for a symlink that leads outside.
const rounds = 120;

const swinger = `
const { mkdirSync, renameSync, symlinkSync, unlinkSync } = require("node:fs");
const { workerData: { arena, outside, stop }, parentPort } = require("node:worker_threads");
const attempt = (step) => { try { step() } catch {} };
const swing = arena + "/swing";
parentPort.postMessage("swinging");
while (Atomics.load(stop, 0) === 0) {
  attempt(() => mkdirSync(swing + "/nest", { recursive: true }));
  attempt(() => renameSync(swing, arena + "/parked"));
  attempt(() => symlinkSync(outside, swing));
  attempt(() => unlinkSync(swing));
  attempt(() => renameSync(arena + "/parked", swing));
}`;

let world: FileWorld;
beforeEach(() => {
  world = makeFileWorld();
});
afterEach(() => world.remove());

async function whileSwinging(work: () => Promise<void>): Promise<void> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { arena: join(world.root, "arena"), outside: world.outside, stop };
  const worker = new Worker(swinger, { eval: true, workerData });
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  try {
    await new Promise((resolve) => worker.once("message", resolve));
    await work();
  } finally {
    Atomics.store(stop, 0, 1);
    await exited;
  }
}

async function archive(): Promise<Buffer> {
  const packing = pack();
  packing.entry({ name: "swing/canary" }, "from a tar");
  packing.entry({ name: "swing/nest/new/", type: "directory" });
  packing.finalize();
  return buffer(packing as AsyncIterable<Uint8Array>);
}

test.skipIf(process.platform !== "linux")("nothing outside is shown or touched (needs /proc)", async () => {
  mkdirSync(join(world.root, "arena", "swing", "nest"), { recursive: true });
  writeFileSync(join(world.root, "arena", "swing", "canary"), "ours");
  const before = treeSnapshot(world.outside);
  const tar = { method: "POST", body: await archive(), headers: { "content-type": "application/x-tar" } };
  const chosen = {
    method: "POST",
    body: JSON.stringify({ paths: ["swing/canary", "swing/nest/egg"] }),
    headers: { "content-type": "application/json" },
  };
  const calls: [string, RequestInit?][] = [
    ["/v1/fs/file?path=arena/swing/canary"],
    ["/v1/fs/file?path=arena/swing/nest/egg"],
    ["/v1/fs/file?path=arena/swing/canary", { method: "PUT", body: "overwritten" }],
    ["/v1/fs/file?path=arena/swing/nest/a/b", { method: "PUT", body: "new" }],
    ["/v1/fs/mkdir?path=arena/swing/nest/c/d", { method: "POST" }],
    ["/v1/fs/upload-batch?path=arena", tar],
    ["/v1/fs/upload-batch?path=arena&exact=true", tar],
    ["/v1/fs/manifest?path=arena"],
    ["/v1/fs/manifest?path=arena/swing"],
    ["/v1/fs/tar?path=arena", chosen],
    ["/v1/fs/tar?path=arena/swing", { method: "POST" }],
    ["/v1/fs/entry?path=arena/swing/nest/egg", { method: "DELETE" }],
    ["/v1/fs/entry?path=arena&recursive=true", { method: "DELETE" }],
  ];
  const statuses = new Set<number>();
  await whileSwinging(async () => {
    for (let round = 0; round < rounds; round++) {
      for (const [url, init] of calls) {
        const answer = await world.app.request(url, init);
        statuses.add(answer.status);
        // An archive whose directory is swapped away just then breaks off.
        expect(await answer.text().catch(() => "")).not.toContain(secret);
      }
    }
  });
  expect(treeSnapshot(world.outside)).toEqual(before);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 403]));
  expect(Math.max(...statuses)).toBeLessThan(500);
});
