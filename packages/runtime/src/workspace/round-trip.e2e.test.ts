/**
 * Feared: of a workspace with thousands of files one comes back that is not byte by byte the same, or not at all; or each turn
 * moves all of them. `npm run round-trip` does it with 10,000 files of 500 MB.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { openSqliteStore } from "../store/sqlite/open-sqlite-store.ts";
import { at, contentOf, oddName, putLargeTree } from "./__fixtures__/large-tree.ts";
import { treeLines } from "./__fixtures__/tree-lines.ts";
import { WatchedTransfers } from "./__fixtures__/watched-transfers.ts";

const files = Number(process.env.SANDBOX_AGENT_ROUND_TRIP_FILES ?? 2_000);
const megabytes = Number(process.env.SANDBOX_AGENT_ROUND_TRIP_MEGABYTES ?? 30);
const timeout = 10 * 60_000;
const smallest = 30_000;
const tarBlock = 512;

/** A turn; resolves when its checkpoint is kept. */
async function turn({ client, store }: TestRuntime, count: number, message = "hello"): Promise<string> {
  await client.postMessage("s", { message });
  const events = await turnsOf(client, "s", count);
  expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  const number = async () => (await store.checkpoints.checkpoints("s"))[0]?.number;
  await expect.poll(number, { timeout, interval: 100 }).toBe(count);
  return JSON.stringify(events);
}

async function sandboxOf({ store, provider }: TestRuntime) {
  return (await provider.attach((await store.sandboxOf("s"))!.providerId))!;
}

const contentsIn = (lines: readonly string[]) =>
  new Set(lines.flatMap((line) => / file \d+ \d+ \d+ ([0-9a-f]{64})$/.exec(line)?.[1] ?? []));

test(`${files} files of ${megabytes} MB come back as they were, and only what changed moves`, { timeout }, async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "round-trip-")));
  const store = await openSqliteStore(join(top, "store.db"));
  onTestFinished(async () => {
    await store.close();
    rmSync(top, { recursive: true, force: true });
  });
  const transfers = new WatchedTransfers();
  const world = await startTestRuntime({ store, network: transfers.network });
  const outside = join(top, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "canary"), "never to be read");
  await world.client.createSession("s", { agent: "mock" });
  await turn(world, 1, "my name is Ada");
  const first = await sandboxOf(world);
  const { workspace } = first.paths;

  putLargeTree(workspace, { files, megabytes }, outside);
  const filled = treeLines(workspace);
  expect(transfers.take().asked).toEqual([]);
  await turn(world, 2);
  expect(transfers.take().asked).toHaveLength(contentsIn(filled).size);
  await turn(world, 3);
  expect(transfers.take()).toEqual({ asked: [], bytes: 0 });

  const changed = Array.from({ length: 10 }, (_, index) => `part ${index}/file ${index * 100 + 13}`);
  for (const [index, path] of changed.entries())
    writeFileSync(join(workspace, path), contentOf(index, smallest + index));
  writeFileSync(at(join(workspace, "odd"), oddName), "changed, no UTF-8");
  rmSync(join(workspace, "part 3", "file 301"));
  renameSync(join(workspace, "part 4"), join(workspace, "renamed"));
  renameSync(join(workspace, "large.bin"), join(workspace, "part 5", "moved.bin"));
  chmodSync(join(workspace, "part 6", "file 601"), 0o711);
  mkdirSync(join(workspace, "made"));
  const asked = [...changed.map((path) => path.replace("part 4", "renamed")), `odd/${oddName.toString("latin1")}`];
  const before = treeLines(workspace);
  await turn(world, 4);
  const moved = transfers.take();
  expect([...moved.asked].sort()).toEqual(asked.sort());
  expect(moved.bytes).toBeLessThan(asked.length * (smallest + 4 * tarBlock));

  await first.destroy();
  const said = await turn(world, 5, "what did I say before?");
  expect(said).toContain("- my name is Ada");
  const second = await sandboxOf(world);
  expect(second.id).not.toBe(first.id);
  expect(treeLines(second.paths.workspace)).toEqual(before);
  expect(readFileSync(join(outside, "canary"), "utf8")).toBe("never to be read");
  // A sandbox with the same files is nothing new.
  expect(transfers.take()).toEqual({ asked: [], bytes: 0 });

  writeFileSync(join(second.paths.workspace, "run.sh"), "#!/bin/sh\necho\n");
  await turn(world, 6);
  expect(transfers.take().asked).toEqual(["run.sh"]);
});
