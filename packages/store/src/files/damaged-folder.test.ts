import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { appendTexts, numbered, readTexts, sampleRecord } from "../contract/sample-log.ts";
import { writtenFolder } from "./__fixtures__/session-folder.ts";

describe("a checkpoint", () => {
  type Numbers = Record<string, number>;
  /** The checkpoint with other numbers in it, and sealed as if that were right. */
  const changed = (change: (numbers: Numbers) => object) => (whole: string) => {
    const { checkpoint } = JSON.parse(whole) as { checkpoint: Numbers };
    const text = JSON.stringify({ ...checkpoint, ...change(checkpoint) });
    return `{"crc32":${crc32(text)},"checkpoint":${text}}\n`;
  };

  it("is a line of JSON, also after a longer one", async () => {
    const folder = await writtenFolder(numbered(5), 3);
    const { store } = await folder.open();
    for (const snapshot of ["long".repeat(99), "short"]) store.checkpoint("s", snapshot);
    await store.close();
    expect(JSON.parse(folder.read("checkpoint.json").toString())).toMatchObject({
      checkpoint: { head: 5, snapshot: "short" },
    });
  });

  it.each<[string, (whole: string) => string]>([
    ["is empty", () => ""],
    ["is half written", (whole) => whole.slice(0, whole.length / 2)],
    ["is half another", (whole) => whole.replace('"seen":3', '"seen":4')],
    ["is NULs", (whole) => "\0".repeat(whole.length)],
    ["is null", () => "null"],
    ["has nothing in it", () => "{}"],
    ["has text for numbers", changed(({ head }) => ({ head: `${head}` }))],
    ["has negative numbers", changed(({ head }) => ({ head: -head! }))],
    ["speaks of more than there is", changed(() => ({ eventBytes: 1e9 }))],
    ["ends amidst a line", changed(({ eventBytes }) => ({ eventBytes: eventBytes! - 1 }))],
    ["ends amidst a turn", changed(({ turnBytes }) => ({ turnBytes: turnBytes! - 1 }))],
    ["counts wrongly", changed(() => ({ head: 2 }))],
    ["counts where there is nothing", changed(() => ({ eventBytes: 0 }))],
  ])("that %s is not believed", async (_, damage) => {
    const folder = await writtenFolder(numbered(5), 3);
    folder.write("checkpoint.json", damage(folder.read("checkpoint.json").toString()));
    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 5, snapshot: null, clean: false });
    expect(await readTexts(store, "s")).toEqual(numbered(5));
    await store.close();
  });

  it("over bytes that a power cut took is not believed", async () => {
    const folder = await writtenFolder(numbered(5), 5);
    const whole = folder.read("events.jsonl");
    folder.write("events.jsonl", whole.fill(0, whole.length - 50));
    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 4, knownHead: 5, snapshot: null, clean: false });
    await store.close();
  });

  it("of events that were lost does not become true when others take their place", async () => {
    const folder = await writtenFolder(numbered(5), 5);
    const whole = folder.read("events.jsonl");
    folder.write("events.jsonl", whole.subarray(0, whole.length - 10));
    const { store: between } = await folder.open();
    await appendTexts(between, "s", ["text 6"]);
    await between.close();
    expect(folder.read("events.jsonl")).toHaveLength(whole.length);

    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 5, snapshot: null, clean: false });
    await store.close();
  });

  it("that is whole is believed, so that what lies before it is not read", async () => {
    const folder = await writtenFolder(numbered(5), 4);
    const whole = folder.read("events.jsonl");
    folder.write("events.jsonl", whole.fill("x", 0, 10));
    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 5, snapshot: { seen: 4 }, clean: false });
    await store.close();
  });

  it("is believed behind a line of any length", async () => {
    const folder = await writtenFolder(["a", "ß".repeat(300_000)], 2);
    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 2, snapshot: { seen: 2 }, clean: true });
    await store.close();
  });
});

describe("a session's folder", () => {
  it.each([
    ["empty", ""],
    ["half written", '{"sessionId":"s","ui'],
    ["null", "null"],
    ["an empty object", "{}"],
    ["another session's", JSON.stringify(sampleRecord("other"))],
    ["without a uid", JSON.stringify({ ...sampleRecord("s"), uid: undefined })],
    ["without a date", JSON.stringify({ ...sampleRecord("s"), createdAt: "yesterday" })],
  ])("whose session.json is %s can be read and deleted, and the others are served", async (_, content) => {
    const folder = await writtenFolder(numbered(3));
    const { store: before } = await folder.open();
    await before.create(sampleRecord("t"));
    await before.close();
    folder.write("session.json", content);
    const events = folder.read("events.jsonl");

    const { store, sessions, unreadable } = await folder.open();
    expect(unreadable).toEqual(["s"]);
    expect([...sessions.keys()].sort()).toEqual(["s", "t"]);
    expect(sessions.get("s")).toMatchObject({ head: 3, problem: expect.any(Error) });
    expect(await readTexts(store, "s")).toEqual(numbered(3));
    await appendTexts(store, "t", ["on"]);
    await expect(appendTexts(store, "s", ["on"])).rejects.toMatchObject({ message: expect.stringMatching(/damaged/) });
    await expect(store.create(sampleRecord("s"))).rejects.toMatchObject({ code: "session_already_exists" });
    expect(folder.read("events.jsonl")).toEqual(events);
    await store.delete("s");
    await store.create(sampleRecord("s"));
    await store.close();
  });

  it("without session.json is reported, and so is what is no folder", async () => {
    const folder = await writtenFolder(numbered(3));
    rmSync(folder.path("session.json"));
    writeFileSync(join(folder.directory, "sessions", "notes.txt"), "mine");
    const { store, sessions, unreadable } = await folder.open();
    expect(unreadable.sort()).toEqual(["notes.txt", "s"]);
    expect([...sessions.keys()]).toEqual(["s"]);
    await store.close();
  });

  it.each(["session.json", "events.jsonl", "raw.jsonl", "turns.jsonl", "checkpoint.json", "memory.json"])(
    "with a pipe or a directory in the place of %s does not hold up the start",
    async (name) => {
      for (const put of [(path: string) => execFileSync("mkfifo", [path]), (path: string) => mkdirSync(path)]) {
        const folder = await writtenFolder(numbered(3), 3);
        rmSync(folder.path(name), { force: true });
        put(folder.path(name));
        const { store, sessions } = await folder.open();
        const isVital = !["checkpoint.json", "memory.json"].includes(name);
        expect(sessions.get("s")?.problem !== undefined).toBe(isVital);
        await store.delete("s");
        await store.close();
      }
    },
  );

  it("that was copied by hand does not give a session twice", async () => {
    const folder = await writtenFolder(numbered(3));
    const copy = folder.copy();
    renameSync(join(copy.directory, "sessions", "s"), join(folder.directory, "sessions", "s copy"));
    const { store, sessions, unreadable } = await folder.open();
    expect(unreadable).toEqual(["s copy"]);
    expect([...sessions.keys()].sort()).toEqual(["damaged:s copy", "s"]);
    await store.close();
  });

  it("without its journals starts again at nothing", async () => {
    const folder = await writtenFolder(numbered(3), 3);
    for (const name of ["events.jsonl", "raw.jsonl", "turns.jsonl"]) rmSync(folder.path(name));
    const { store, sessions } = await folder.open();
    expect(sessions.get("s")).toMatchObject({ head: 0, snapshot: null, clean: false });
    await appendTexts(store, "s", ["text 1"]);
    expect(await readTexts(store, "s")).toEqual(["text 1"]);
    await store.close();
  });

  it("says when something was written last, be it an event or a turn", async () => {
    for (const name of ["events.jsonl", "turns.jsonl"]) {
      const folder = await writtenFolder(numbered(1));
      for (const each of ["events.jsonl", "turns.jsonl"]) utimesSync(folder.path(each), 1_700_000_000, 1_700_000_000);
      utimesSync(folder.path(name), 1_800_000_000, 1_800_000_000);
      const { store, sessions } = await folder.open();
      expect(sessions.get("s")?.updatedAt).toBe(1_800_000_000_000);
      await store.close();
    }
  });
});

describe("what a crash left", () => {
  it("of a create that a power cut undid is removed, and its name is free again", async () => {
    const folder = await writtenFolder(numbered(1));
    const stillborn = join(folder.directory, "sessions", "lost");
    mkdirSync(stillborn);
    for (const name of ["session.json", "events.jsonl", "turns.jsonl"]) writeFileSync(join(stillborn, name), "");
    const { store, sessions, unreadable } = await folder.open();
    expect([...sessions.keys()]).toEqual(["s"]);
    expect(unreadable).toEqual([]);
    await store.create(sampleRecord("lost"));
    expect(store.head("lost")).toBe(0);
    await store.close();
  });

  it("of a create or a delete is removed, and nothing else is", async () => {
    const folder = await writtenFolder(numbered(1));
    const inside = (name: string) => join(folder.directory, "sessions", name);
    for (const name of [".new-0a1b2c", ".deleted-0a1b2c", ".backup"]) {
      mkdirSync(inside(name));
      writeFileSync(join(inside(name), "session.json"), JSON.stringify(sampleRecord("half")));
    }
    writeFileSync(inside(".DS_Store"), "");
    const { store, sessions, unreadable } = await folder.open();
    expect([...sessions.keys()]).toEqual(["s"]);
    expect(unreadable).toEqual([]);
    const left = [".new-0a1b2c", ".deleted-0a1b2c", ".backup", ".DS_Store"].filter((name) => existsSync(inside(name)));
    expect(left).toEqual([".backup", ".DS_Store"]);
    await store.close();
  });
});
