/** Feared: waiting for the disk more often than durability needs, or less often. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sampleBatch, sampleRecord, sampleTurn } from "../contract/sample-log.ts";
import { FilesStore } from "./files-store.ts";

const syncs = vi.hoisted(() => ({ count: 0 }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const counted =
    <Args extends unknown[], Result>(sync: (...args: Args) => Result) =>
    (...args: Args): Result => {
      syncs.count += 1;
      return sync(...args);
    };
  return { ...fs, fsync: counted(fs.fsync), fsyncSync: counted(fs.fsyncSync), fdatasync: counted(fs.fdatasync) };
});

async function syncsOf(work: () => Promise<void>): Promise<number> {
  const before = syncs.count;
  await work();
  return syncs.count - before;
}

test("a create syncs two things, and a turn brings the events that it comes after with it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-syncs-"));
  const store = new FilesStore(directory);
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  // The record and the name of its folder.
  expect(await syncsOf(() => store.create(sampleRecord("s")))).toBe(2);

  store.append("s", { ...sampleBatch("s", 1, ["one"]), raw: "" });
  await store.appendTurn("s", sampleTurn("t1"));
  // Two files, each new in the folder.
  expect(await syncsOf(() => store.syncTurns("s"))).toBe(4);
  expect(await syncsOf(() => store.sync("s"))).toBe(0);

  await store.appendTurn("s", sampleTurn("t2"));
  expect(await syncsOf(() => store.syncTurns("s"))).toBe(1);
});
