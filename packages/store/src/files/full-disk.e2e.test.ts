import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../__fixtures__/open-log.ts";
import { textDraft } from "../__fixtures__/text-draft.ts";
import { readTexts, sampleRecord, sampleTurn, turnsOf } from "../contract/sample-log.ts";
import type { SessionLog } from "../session-log.ts";
import { openStore } from "./__fixtures__/session-folder.ts";
import { canMount, diskBytes, SmallDisk } from "./__fixtures__/small-disk.ts";
import { FilesStore } from "./files-store.ts";

const mayMount = canMount();
const unlessMounted = mayMount ? "" : " (not here: this user may not mount a disk)";
let disk: SmallDisk;
let data: string;

const withSmallDisk = () => {
  beforeEach(() => {
    disk = new SmallDisk();
    data = join(disk.directory, "data");
  });

  afterEach(() => disk.unmount());
};

const diskIsFull = {
  name: "SandboxError",
  code: "internal_error",
  message: expect.stringMatching(
    /^Cannot keep data in .* \(ENOSPC\)\. The disk is full: free some space and try again\.$/,
  ),
};

/** Append until the disk is full; answers the texts that were acknowledged. */
async function fill(log: SessionLog, text: (n: number) => string, raw?: string): Promise<string[]> {
  const kept: string[] = [];
  for (let n = 1; ; n++) {
    try {
      await log.append([textDraft(text(n), raw)]);
    } catch (error) {
      expect(error).toMatchObject(diskIsFull);
      return kept;
    }
    kept.push(text(n));
  }
}

describe.skipIf(!mayMount)(`a full disk${unlessMounted}`, () => {
  withSmallDisk();

  it.each([
    ["events", undefined],
    ["raw payloads", JSON.stringify({ native: "x".repeat(5000) })],
  ])("that has no room for %s is a clear error and harms nothing", async (_, raw) => {
    const { events, log } = await openLog(new FilesStore(data));
    const text = (n: number) => `${n} `.padEnd(3000, "é");
    const kept = await fill(log, text, raw);
    expect(kept.length).toBeGreaterThan(5);
    expect(log.head).toBe(kept.length);
    expect(await readTexts(events.store, "s")).toEqual(kept);
    expect(readFileSync(join(data, "sessions/s/events.jsonl"), "utf8").endsWith("\n")).toBe(true);

    disk.freeSpace();
    await log.append([textDraft("after"), textDraft("that")]);
    await events.close();
    const { store, sessions } = await openStore(data);
    expect(sessions.get("s")).toMatchObject({ head: kept.length + 2 });
    expect(await readTexts(store, "s")).toEqual([...kept, "after", "that"]);
    await store.close();
  });

  it("at the moment of a crash leaves a log that goes on", async () => {
    const { events, log } = await openLog(new FilesStore(data));
    const kept = await fill(log, (n) => `${n} `.padEnd(5000, "x"));
    const { store, sessions, unreadable } = await openStore(data);
    expect(unreadable).toEqual([]);
    expect(sessions.get("s")).toMatchObject({ head: kept.length });
    disk.freeSpace();
    expect(await readTexts(store, "s")).toEqual(kept);
    await store.close();
    await events.close();
  });

  it("that has no room for turns is a clear error and harms nothing", async () => {
    const { store } = await openStore(data);
    await store.create(sampleRecord("s"));
    const kept: string[] = [];
    const admit = async (turnId: string) => {
      await store.appendTurn("s", sampleTurn(turnId, turnId.padEnd(5000, "é")));
      kept.push(turnId);
    };
    const fillTurns = async () => {
      for (let n = 1; ; n++) await admit(`t${n}`);
    };
    await expect(fillTurns()).rejects.toMatchObject(diskIsFull);
    expect(kept.length).toBeGreaterThan(5);
    disk.freeSpace();
    await admit("after");
    await store.close();
    const { store: again } = await openStore(data);
    expect((await turnsOf(again, "s")).map(({ turnId }) => turnId)).toEqual(kept);
    await again.close();
  });

  it("that has no room for a session or a checkpoint leaves nothing half made", async () => {
    const { store } = await openStore(data);
    await store.create(sampleRecord("s"));
    const large = { ...sampleRecord("large"), config: "x".repeat(diskBytes) };
    await expect(store.create(large)).rejects.toMatchObject(diskIsFull);
    store.checkpoint("s", "first");
    store.checkpoint("s", "x".repeat(diskBytes));
    expect(existsSync(join(data, "sessions", "s", "checkpoint.json"))).toBe(false);
    await store.close();

    disk.freeSpace();
    const { store: again, sessions, unreadable } = await openStore(data);
    expect(unreadable).toEqual([]);
    expect([...sessions.values()]).toMatchObject([{ record: { sessionId: "s" }, snapshot: null, head: 0 }]);
    await again.create(sampleRecord("large"));
    await again.close();
  });
});

describe.skipIf(!mayMount)(`a read-only disk${unlessMounted}`, () => {
  withSmallDisk();

  it("is a clear error at the start", async () => {
    const { store } = await openStore(data);
    await store.create(sampleRecord("s"));
    await store.close();
    disk.makeReadOnly();
    const failure = (message: RegExp) =>
      expect.objectContaining({ code: "internal_error", message: expect.stringMatching(message) });
    expect(() => new FilesStore(data)).toThrow(failure(/\(EROFS\)\. The file system is read-only: .*--data-dir/));
    expect(() => new FilesStore(join(disk.directory, "new"))).toThrow(failure(/cannot be made there: .*--data-dir/));
  });
});
