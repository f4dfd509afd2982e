import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addSession } from "../__fixtures__/open-log.ts";
import { textDraft } from "../__fixtures__/text-draft.ts";
import {
  appendTexts,
  numbered,
  parsePage,
  readTexts,
  sampleBatch,
  sampleRecord,
  sampleTurn,
  turnsOf,
} from "../contract/sample-log.ts";
import { EventLog } from "../event-log.ts";
import { openStore } from "./__fixtures__/session-folder.ts";
import { quickDirectory, temporaryDirectory } from "./__fixtures__/temporary-directory.ts";
import { FilesStore } from "./files-store.ts";
import { Journal } from "./journal.ts";

const page = { maxBytes: 64 * 1024, maxEvents: 1000 };
const openDescriptors = (): number => readdirSync("/proc/self/fd").length;
const unlessLinux = platform() === "linux" ? "" : " (not here: descriptors are counted in /proc)";

async function storeWith(...ids: string[]): Promise<{ directory: string; store: FilesStore }> {
  const directory = temporaryDirectory();
  const { store } = await openStore(directory);
  for (const id of ids) {
    await store.create(sampleRecord(id));
    await appendTexts(
      store,
      id,
      numbered(2000).map((text) => `${id} ${text}`),
    );
  }
  return { directory, store };
}

describe("readers of a session that is deleted", () => {
  it("get its own events or are told, and never those of another session", async () => {
    const { store } = await storeWith("s");
    for (let round = 0; round < 20; round++) {
      const begun = Promise.all(Array.from({ length: 20 }, () => store.read("s", 0, page)));
      const reads = Promise.allSettled(Array.from({ length: 20 }, (_, n) => store.read("s", n * 90, page)));
      const deleted = store.delete("s");
      await store.create(sampleRecord(`other${round}`));
      await appendTexts(store, `other${round}`, numbered(2000));
      await deleted;
      for (const { lines } of await begun) expect(lines.toString()).toMatch(/"delta":"s text 1"/);
      for (const result of await reads) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ name: "SandboxError" });
        else for (const { text } of parsePage(result.value)) expect(text).toMatch(/^s text/);
      }
      await store.create(sampleRecord("s"));
      await appendTexts(
        store,
        "s",
        numbered(2000).map((text) => `s ${text}`),
      );
    }
    await store.close();
  });
});

describe("a closed store", () => {
  it("has let go of its files, and those who were reading get what they asked for or are told", async () => {
    const before = openDescriptors();
    const { store } = await storeWith("s", "t");
    const begun = Promise.all(Array.from({ length: 50 }, () => store.read("s", 0, page)));
    const reads = Promise.allSettled(Array.from({ length: 50 }, (_, n) => store.read("s", n * 30, page)));
    await store.close();
    for (const { lines } of await begun) expect(lines.toString()).toMatch(/"delta":"s text 1"/);
    for (const result of await reads) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ name: "SandboxError" });
      else expect(parsePage(result.value)[0]?.text).toMatch(/^s text/);
    }
    expect(openDescriptors()).toBeLessThanOrEqual(before);
  });

  it("writes nothing any more: the directory may belong to another process", async () => {
    const { directory, store } = await storeWith("s");
    await store.close();
    const closed = { name: "SandboxError", message: expect.stringContaining("closed") };
    expect(() => store.append("s", sampleBatch("s", 2001, ["late"]))).toThrow(expect.objectContaining(closed));
    await expect(store.appendTurn("s", sampleTurn("late"))).rejects.toMatchObject(closed);
    await expect(store.create(sampleRecord("t"))).rejects.toMatchObject(closed);
    await expect(store.delete("s")).rejects.toMatchObject(closed);
    store.checkpoint("s", "late");

    const { store: again, sessions } = await openStore(directory);
    expect([...sessions.values()]).toMatchObject([{ head: 2000, snapshot: null }]);
    expect(await turnsOf(again, "s")).toEqual([]);
    await again.close();
  });
});

describe("a disk", () => {
  it("has everything that was made durable", async () => {
    const synced = vi.spyOn(Journal.prototype, "sync");
    onTestFinished(() => synced.mockRestore());
    const syncedFiles = () => {
      const names = synced.mock.contexts.map((journal) => basename((journal as Journal).path));
      synced.mockClear();
      return names.sort();
    };
    const { store } = await storeWith("s");
    expect(syncedFiles()).toEqual([]);
    await store.appendTurn("s", sampleTurn("t"));
    expect(syncedFiles()).toEqual([]);
    await store.syncTurns("s");
    expect(syncedFiles()).toEqual(["events.jsonl", "turns.jsonl"]);
    await store.sync("s");
    expect(syncedFiles()).toEqual(["events.jsonl", "raw.jsonl"]);
    await store.close();
    expect(syncedFiles()).toEqual(["events.jsonl", "raw.jsonl", "turns.jsonl"]);
  });
});

describe("a delete", () => {
  it("that fails leaves the session as it was", async () => {
    const { directory, store } = await storeWith("s");
    const folder = join(directory, "sessions", "s");
    renameSync(folder, `${folder}.away`);
    await expect(store.delete("s")).rejects.toMatchObject({ code: "internal_error" });
    renameSync(`${folder}.away`, folder);
    expect(store.head("s")).toBe(2000);
    await store.delete("s");
    expect(existsSync(folder)).toBe(false);
    await store.close();
  });
});

describe("errors", () => {
  it("say which file, why and what to do", async () => {
    const { directory, store } = await storeWith("s");
    await store.close();
    const again = (await openStore(directory)).store;
    const folder = join(directory, "sessions", "s");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file in place of the folder");
    const failure = {
      code: "internal_error",
      message: expect.stringMatching(/events\.jsonl \(ENOTDIR\)\. .*--data-dir/),
      details: { errno: "ENOTDIR" },
    };
    expect(() => again.append("s", sampleBatch("s", 2001, ["x"]))).toThrow(expect.objectContaining(failure));
    await expect(again.read("s", 10, page)).rejects.toMatchObject(failure);
    expect(again.head("s")).toBe(2000);
    await again.close();
  });

  it.each(["", "sessions"])("name the directory when there is a file in its place (%s)", (name) => {
    const directory = temporaryDirectory();
    if (name === "") rmSync(directory, { recursive: true });
    writeFileSync(join(directory, name), "");
    expect(() => new FilesStore(directory)).toThrow(
      expect.objectContaining({
        code: "internal_error",
        message: expect.stringMatching(new RegExp(`${directory}.*--data-dir`)),
      }),
    );
  });
});

describe("descriptors", () => {
  it.skipIf(unlessLinux)(`stay few with many sessions${unlessLinux}`, async () => {
    const before = openDescriptors();
    const { store } = await openStore(quickDirectory());
    const ids = Array.from({ length: 600 }, (_, n) => `s${n}`);
    for (const id of ids) await store.create(sampleRecord(id));
    for (let round = 0; round < 2; round++) {
      for (const id of ids) await appendTexts(store, id, ["x"]);
      expect(openDescriptors() - before).toBeLessThanOrEqual(256);
    }
    await Promise.all(ids.map((id) => store.read(id, 0, page)));
    await readTexts(store, "s0");
    expect(openDescriptors() - before).toBeLessThanOrEqual(256);
    await store.close();
    expect(openDescriptors()).toBeLessThanOrEqual(before);
  });
});

describe("a log in files", () => {
  it("is the bytes that readers get", async () => {
    const directory = temporaryDirectory();
    const events = new EventLog(new FilesStore(directory));
    const log = await addSession(events, "s");
    await log.append([textDraft("ä", '{"n":1}'), textDraft("\u2028")]);
    let bytes = Buffer.alloc(0);
    for await (const chunk of log.read(0, 10, false)) bytes = Buffer.concat([bytes, chunk.bytes]);
    await events.close();
    expect(readFileSync(join(directory, "sessions", "s", "events.jsonl"))).toEqual(bytes);
    expect(readFileSync(join(directory, "sessions", "s", "raw.jsonl"), "utf8")).toBe('{"sequence":1,"raw":{"n":1}}\n');
  });
});
