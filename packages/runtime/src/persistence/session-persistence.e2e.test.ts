/** Feared: an application's storage that fails, and with it what was kept; and a session that only it knows and nobody finds. */
import { type blocksOfEvents, checkStream } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { ApplicationStorage } from "./__fixtures__/application-storage.ts";

const long = 180_000;

test(
  "records, transcript and files are in the application's storage after a turn, and another runtime goes on from there",
  async () => {
    const persistence = new ApplicationStorage();
    const first = await startTestRuntime({ persistence });
    await first.client.createSession("s", { agent: "mock", metadata: { team: "a" } });
    expect(persistence.sessions.get("s")).toMatchObject({ type: "mock", metadata: { team: "a" }, workspaceFiles: [] });
    await first.client.postMessage("s", { message: "echo one" });
    const told = await turnsOf(first.client, "s", 1);
    const inside = { sessionId: "s" };
    await first.client.writeFsFile({ ...inside, path: "notes/todo.md" }, "write more tests");
    await first.client.writeFsFile({ ...inside, path: "old.txt" }, "old");
    await first.client.postMessage("s", { message: "echo two" });
    await turnsOf(first.client, "s", 2);
    await expect.poll(() => persistence.sessions.get("s")?.workspaceFiles.length).toBe(2);
    await first.client.deleteFsEntry({ ...inside, path: "old.txt" });
    await first.client.postMessage("s", { message: "echo three" });
    const all = await turnsOf(first.client, "s", 3);
    await first.runtime.sessions.unloadSession("s");
    const kept = persistence.sessions.get("s")!;
    expect(kept).toMatchObject({ name: "echo one", rawTranscript: expect.stringContaining("three") });
    expect(kept.workspaceFiles).toEqual([{ path: "notes/todo.md", content: "write more tests" }]);
    expect(told.length).toBeLessThan(all.length);

    const { client } = await startTestRuntime({ persistence });
    expect((await client.listSessions()).sessions).toMatchObject([
      { sessionId: "s", agent: "mock", title: "echo one", metadata: { team: "a" }, runtime: { isLoaded: false } },
    ]);
    const restored = await turnsOf(client, "s", 3);
    expect(checkStream(restored)).toEqual([]);
    expect(texts(restored)).toEqual(texts(all));
    expect(persistence.sessions.get("s")).toEqual(kept);
    expect((await client.getSession("s")).runtime?.sandbox).toBeNull();
    await client.postMessage("s", { message: "echo four" });
    const gone = await turnsOf(client, "s", 4);
    expect(checkStream(gone)).toEqual([]);
    expect(texts(gone)).toEqual([...texts(all), "echo four", "four"]);
    expect(new TextDecoder().decode(await client.readFsFile({ ...inside, path: "notes/todo.md" }))).toBe(
      "write more tests",
    );
    await expect.poll(() => persistence.sessions.get("s")?.rawTranscript).toContain("echo four");
    await client.deleteSession("s");
    expect((await client.listSessions()).sessions).toEqual([]);

    const third = await startTestRuntime({ persistence });
    expect((await third.client.listSessions()).sessions).toEqual([]);
    await expect(third.client.getSession("s")).rejects.toMatchObject({ code: "session_not_found" });
  },
  long,
);

test(
  "a storage that refuses everything, or never answers, keeps nobody from working and unloading; it gets all of it later",
  async () => {
    const persistence = new ApplicationStorage();
    const { client, runtime } = await startTestRuntime({ persistence });
    persistence.fail("createSessionRecord", "updateSessionRecord", "saveTranscript", "saveWorkspaceFile");
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    expect((await turnsOf(client, "s", 1)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    await runtime.sessions.unloadSession("s");
    expect([runtime.sessions.isSessionLoaded("s"), persistence.sessions.size]).toEqual([false, 0]);

    persistence.mend();
    await client.postMessage("s", { message: "echo two" });
    const events = await turnsOf(client, "s", 2);
    await expect.poll(() => persistence.sessions.get("s")?.rawTranscript).toContain("echo two");
    expect(persistence.sessions.get("s")?.rawTranscript).toContain("echo one");

    const kept = persistence.sessions.get("s")!.rawTranscript;
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    persistence.before.set("updateSessionRecord", () => stuck);
    await client.postMessage("s", { message: "echo three" });
    await turnsOf(client, "s", 3);
    await runtime.sessions.unloadSession("s");
    expect(runtime.sessions.isSessionLoaded("s")).toBe(false);
    expect(persistence.sessions.get("s")!.rawTranscript).toBe(kept);
    expect((await client.getEvents("s")).events.length).toBeGreaterThan(events.length);
    release();
    await expect.poll(() => persistence.sessions.get("s")?.rawTranscript).toContain("echo three");
  },
  long,
);

test(
  "a read that fails, and a transcript that cannot be understood, are told and never taken for an empty conversation",
  async () => {
    const persistence = new ApplicationStorage();
    const list = { type: "mock", agentProfileReference: "", workspaceFiles: [] };
    const line = JSON.stringify({
      type: "item.completed",
      time: "2026-01-01T00:00:00.000Z",
      data: {
        item: {
          item_id: "itm_1",
          kind: "message",
          role: "user",
          status: "completed",
          content: [{ type: "text", text: "hi" }],
        },
      },
    });
    persistence.sessions.set("good", { ...list, sessionId: "good", rawTranscript: `${line}\n` });
    persistence.sessions.set("foreign", { ...list, sessionId: "foreign", rawTranscript: "not a transcript" });
    persistence.sessions.set("new", { ...list, sessionId: "new" });
    const store = new MemoryRuntimeStore();
    const { client, runtime } = await startTestRuntime({ persistence, store });
    persistence.fail("listAllSessions", "loadSession");
    expect((await client.listSessions()).sessions).toEqual([]);
    await expect(client.getSession("good")).rejects.toMatchObject({ code: "internal_error" });
    await expect(client.createSession("good", { agent: "mock" })).rejects.toMatchObject({ code: "internal_error" });
    persistence.mend();
    expect((await client.listSessions()).sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual([
      "foreign",
      "good",
      "new",
    ]);
    persistence.fail("loadSession");
    await expect(client.getEvents("good")).rejects.toMatchObject({ code: "internal_error" });
    persistence.mend();
    await expect(client.createSession("good", { agent: "mock" })).rejects.toMatchObject({
      code: "session_already_exists",
    });
    expect(texts((await client.getEvents("good")).events)).toEqual(["hi"]);
    await expect(client.postMessage("foreign", { message: "echo x" })).rejects.toMatchObject({
      code: "internal_error",
    });
    await client.postMessage("new", { message: "echo x" });
    expect(texts(await turnsOf(client, "new", 1))).toEqual(["echo x", "x"]);
    for (const id of ["good", "foreign"]) await runtime.sessions.unloadSession(id);
    expect(persistence.sessions.get("good")?.rawTranscript).toBe(`${line}\n`);
    expect(persistence.sessions.get("foreign")?.rawTranscript).toBe("not a transcript");
  },
  long,
);

test(
  "what subagents did is kept apart, and is theirs again where another runtime goes on",
  async () => {
    const persistence = new ApplicationStorage();
    const first = await startTestRuntime({ persistence });
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "tool" });
    await turnsOf(first.client, "s", 1);
    const told = await first.runtime.sessions.getSession("s")!.getState();
    await first.runtime.sessions.unloadSession("s");
    const kept = persistence.sessions.get("s")!;
    expect(kept.rawTranscript).not.toContain("parent_id");
    expect(kept.subagents).toMatchObject([{ transcript: expect.stringContaining("It is polite enough.") }]);

    const { runtime } = await startTestRuntime({ persistence });
    const state = await (await runtime.sessions.loadSession("s")).getState();
    expect(state.subagents.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual(
      told.subagents.map(({ blocks }) => blocks.map(({ type }) => type)),
    );
    expect(state.subagents).toMatchObject([{ blocks: [{ type: "assistant_text", text: "It is polite enough." }] }]);
    const said = state.blocks.flatMap((block) => (block.type === "assistant_text" ? [block.text] : []));
    expect(said).not.toContain("It is polite enough.");
  },
  long,
);

test(
  "a storage that fails while a sandbox is made is asked again; if it stays away the turn says so, and nothing is changed",
  async () => {
    const persistence = new ApplicationStorage();
    const { client, runtime } = await startTestRuntime({ persistence });
    const place = { sessionId: "s", path: "notes.md" };
    await client.createSession("s", { agent: "mock" });
    await client.writeFsFile(place, "keep me");
    await client.postMessage("s", { message: "echo one" });
    await turnsOf(client, "s", 1);
    await expect.poll(() => persistence.sessions.get("s")?.workspaceFiles.length).toBe(1);
    const session = runtime.sessions.getSession("s")!;
    expect((await session.getState()).workspaceFiles).toEqual([{ path: "notes.md", content: "keep me" }]);

    await session.deactivateSandbox("for the test");
    persistence.before.set("loadSession", () => new Promise(() => {}));
    await client.postMessage("s", { message: "echo two" });
    const failed = await turnsOf(client, "s", 2);
    expect(failed.at(-1)).toMatchObject({
      data: {
        metadata: { reason: "error", message: expect.stringContaining("The application's storage did not answer") },
      },
    });
    expect((await client.getSession("s")).runtime?.sandbox?.status).not.toBe("starting");
    expect(persistence.sessions.get("s")?.workspaceFiles).toEqual([{ path: "notes.md", content: "keep me" }]);

    let failures = 1;
    persistence.before.set("loadSession", async () => {
      if (failures-- > 0) throw new Error("out of order");
    });
    await client.postMessage("s", { message: "echo three" });
    expect((await turnsOf(client, "s", 3)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(new TextDecoder().decode(await client.readFsFile(place))).toBe("keep me");
  },
  long,
);

function texts(events: Parameters<typeof blocksOfEvents>[0]): string[] {
  const said: string[] = [];
  for (const event of events) {
    if (event.type !== "item.completed" || event.data.item.kind !== "message") continue;
    for (const part of event.data.item.content) if (part.type === "text") said.push(part.text);
  }
  return said;
}
