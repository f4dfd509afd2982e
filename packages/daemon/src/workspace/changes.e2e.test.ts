import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FsChange } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileWorld, makeFileWorld } from "../files/__fixtures__/file-world.ts";
import { type LiveServer, serveLive } from "../files/__fixtures__/live-server.ts";
import { followChanges } from "./follow-changes.ts";
import { OpenDirectory } from "./open-directory.ts";
import { watchLimits } from "./watch-tree.ts";

let world: FileWorld;
let server: LiveServer;
let stop: AbortController;
beforeEach(async () => {
  world = makeFileWorld();
  server = await serveLive(world.app);
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await server.close();
  await world.remove();
});

const at = (...names: string[]) => join(world.session, ...names);
const openFiles = () => readdirSync("/proc/self/fd").length;

interface Told {
  readonly all: string[];
  /** Resolves when all of these were told. */
  until(...wanted: string[]): Promise<void>;
}

function collect(changes: AsyncIterable<readonly FsChange[]>): Told {
  const all: string[] = [];
  let wake = () => {};
  const read = async () => {
    for await (const batch of changes) {
      for (const change of batch) all.push("path" in change ? `${change.type} ${change.path}` : change.type);
      wake();
    }
  };
  // The test ends it by its signal.
  void read().catch(() => {});
  return {
    all,
    until: async (...wanted) => {
      while (!wanted.every((line) => all.includes(line))) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

function follow(limits = watchLimits): Told {
  return collect(followChanges(() => OpenDirectory.at(world.session)!, stop.signal, limits));
}

test("a client is told what is created, modified and deleted, and nothing of what is left out", async () => {
  writeFileSync(at(".gitignore"), "*.log\n");
  writeFileSync(at("old"), "x");
  mkdirSync(at("dir"));
  const response = await fetch(`${server.url}/v1/fs/changes/sse?sessionId=s`, { signal: stop.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const told = collect(framesOf(response));
  await told.until("ready");
  writeFileSync(at("a.log"), "");
  mkdirSync(at("node_modules"));
  writeFileSync(at("node_modules", "x"), "");
  mkdirSync(at("dir", "deep", "er"), { recursive: true });
  writeFileSync(at("dir", "deep", "er", "new"), "");
  writeFileSync(at("old"), "longer");
  symlinkSync(world.outside, at("out"));
  await told.until("created dir/deep", "created dir/deep/er", "created dir/deep/er/new", "modified old", "created out");
  renameSync(at("dir", "deep"), at("moved"));
  await told.until("deleted dir/deep/er/new", "deleted dir/deep", "created moved", "created moved/er/new");
  writeFileSync(at("moved", "er", "new"), "still watched");
  await told.until("modified moved/er/new");
  rmSync(at("moved"), { recursive: true });
  await told.until("deleted moved", "deleted moved/er", "deleted moved/er/new");
  chmodSync(at("old"), 0o600);
  writeFileSync(at("last"), "");
  await told.until("created last");
  expect(told.all.filter((line) => /log|node_modules|canary|egg/.test(line))).toEqual([]);
});

async function* framesOf(response: Response): AsyncGenerator<readonly FsChange[]> {
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    yield frames.filter((frame) => frame.startsWith("data: ")).map((frame) => JSON.parse(frame.slice(6)) as FsChange);
  }
}

test("what the system does not tell is found by looking", async () => {
  mkdirSync(at("a", "b"), { recursive: true });
  const told = follow({ ...watchLimits, watched: 1, pollMs: 20 });
  await told.until("ready");
  writeFileSync(at("a", "b", "deep"), "");
  await told.until("created a/b/deep");
});

test("more than can be told is an overflow, and it goes on after it", async () => {
  const told = follow({ ...watchLimits, entries: 50 });
  await told.until("ready");
  mkdirSync(at("many"));
  for (let index = 0; index < 100; index += 1) writeFileSync(at("many", `f${index}`), "");
  await told.until("overflow");
  rmSync(at("many"), { recursive: true });
  await told.until("deleted many");
  writeFileSync(at("after"), "");
  await told.until("created after");
});

test("a thousand directories take no descriptors, and none are left after it", async () => {
  for (let index = 0; index < 1000; index += 1) mkdirSync(at(`d${index % 10}`, `e${index}`), { recursive: true });
  const before = openFiles();
  const changes = followChanges(() => OpenDirectory.at(world.session)!, stop.signal);
  await changes.next();
  expect(openFiles()).toBeLessThan(before + 20);
  await changes.return();
  // The one descriptor of all watches is the loop's, and stays.
  expect(openFiles()).toBeLessThanOrEqual(before + 2);
});

test("a directory in which everything changes at once is told once for each file", async () => {
  const told = follow();
  await told.until("ready");
  for (let round = 0; round < 20; round += 1) {
    for (let index = 0; index < 20; index += 1) writeFileSync(at(`f${index}`), `${round}`);
  }
  writeFileSync(at("last"), "");
  await told.until("created last");
  expect(told.all.filter((line) => line.startsWith("created f"))).toHaveLength(20);
  expect(told.all.length).toBeLessThan(100);
});
