/** Feared: a checkpoint that is missing where it would spare a start the whole log, or one that says what the log does not. */
import { copyFileSync, cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FilesStore } from "@sandbox-agent-ts/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { agentText, type Client, ofType } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { diskFull, FailingStore } from "../__fixtures__/failing-store.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { Deferred } from "./deferred.ts";

const checkpointOf = (dataDir: string) => join(dataDir, "sessions", "s", "checkpoint.json");

/** Resolves when the checkpoint says everything that the log says. */
async function checkpointed(dataDir: string, client: Client): Promise<void> {
  const { eventCount } = await client.info("s");
  await eventually(() =>
    expect(JSON.parse(readFileSync(checkpointOf(dataDir), "utf8")).checkpoint.head).toBe(eventCount),
  );
}

async function storedIn(dataDir: string) {
  const store = new FilesStore(dataDir);
  const [stored] = await store.sessions();
  await store.close();
  return stored;
}

/** What everybody can see of the session, but for the clock. */
async function seen(client: Client) {
  const { updatedAt: _, ...info } = await client.info("s");
  return { info, log: await client.soundLog("s") };
}

describe("after kill -9", () => {
  async function killedAfterTwoTurns(betweenTurns: (dataDir: string, client: Client) => Promise<void>) {
    const dataDir = temporaryDirectory();
    const daemon = await DaemonProcess.start({ dataDir });
    const { client } = daemon;
    await client.create("s", { agent: "fake" });
    await client.turn("s", "one");
    await betweenTurns(dataDir, client);
    await client.turn("s", "two");
    return { dataDir, daemon, client, before: await seen(client) };
  }

  async function expectRight(dataDir: string, before: Awaited<ReturnType<typeof seen>>): Promise<void> {
    const { client } = await startTestDaemon({ dataDir });
    expect(await seen(client)).toEqual(before);
    expect(agentText(await client.turn("s", "three"))).toBe("three");
    const log = await client.soundLog("s");
    expect(ofType(log, "turn.ended").map(({ data }) => data.metadata.reason)).toEqual(Array(3).fill("completed"));
  }

  test("a turn that ended a moment before is in the checkpoint, and nothing of the log is left to read", async () => {
    const { dataDir, daemon, client, before } = await killedAfterTwoTurns(async () => {});
    await checkpointed(dataDir, client);
    await daemon.kill();
    expect(await storedIn(dataDir)).toMatchObject({ clean: true, head: before.info.eventCount });
    await expectRight(dataDir, before);
  });

  test("without any checkpoint the log says the same", async () => {
    const { dataDir, daemon, before } = await killedAfterTwoTurns(async () => {});
    await daemon.kill();
    rmSync(checkpointOf(dataDir), { force: true });
    await expectRight(dataDir, before);
  });

  test("with a checkpoint that is a turn old the log says the rest", async () => {
    const old = join(temporaryDirectory(), "checkpoint.json");
    const { dataDir, daemon, before } = await killedAfterTwoTurns(async (directory, client) => {
      await checkpointed(directory, client);
      copyFileSync(checkpointOf(directory), old);
    });
    await daemon.kill();
    copyFileSync(old, checkpointOf(dataDir));
    expect(await storedIn(dataDir)).toMatchObject({ clean: false, snapshot: { title: "one" } });
    await expectRight(dataDir, before);
  });
});

describe("a checkpoint is", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  async function begin() {
    const store = new FailingStore();
    const written = vi.spyOn(store, "checkpoint");
    const agent = new ScriptedAgent();
    const sessions = openSessions(store, agent.adapter, { retryWriteMs: 5 });
    const { session } = await sessions.create("s", { agent: "scripted" });
    let turns = 0;
    const start = async (message: string) => {
      await session.admit({ message });
      turns += 1;
      await agent.prompted(turns);
    };
    const finish = () => session.interrupt();
    return { store, written, agent, sessions, session, start, finish };
  }

  test("written once, when the session has been at rest for a moment", async () => {
    const { written, session, start, finish } = await begin();
    await start("one");
    await finish();
    expect(written).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(written).toHaveBeenCalledOnce();
    expect(written.mock.lastCall).toMatchObject(["s", { title: "one", state: { sequence: session.log.head } }]);
  });

  test("not written while the next turn runs, but after it", async () => {
    const { written, session, start, finish } = await begin();
    await start("one");
    await finish();
    await start("two");
    vi.runAllTimers();
    expect(written).not.toHaveBeenCalled();
    await finish();
    vi.runAllTimers();
    expect(written.mock.calls).toMatchObject([["s", { state: { sequence: session.log.head, turnCount: 2 } }]]);
  });

  test("written when the daemon stops, and not again", async () => {
    const { written, sessions, session, start, finish } = await begin();
    await start("one");
    await finish();
    await sessions.shutDown();
    expect(written.mock.calls).toMatchObject([["s", { state: { sequence: session.log.head } }]]);
    vi.runAllTimers();
    expect(written).toHaveBeenCalledOnce();
  });

  test.each(["start", "end"])("not written when the %s of a turn could not be", async (part) => {
    const { store, written, agent, sessions, session, start } = await begin();
    if (part === "end") await start("hello");
    const refused = new Deferred<void>();
    vi.spyOn(store, "append").mockImplementation(() => {
      refused.resolve();
      throw new Error(diskFull);
    });
    if (part === "end") agent.finish();
    else await session.admit({ message: "hello" });
    await refused.promise;
    await sessions.shutDown();
    vi.runAllTimers();
    expect(written).not.toHaveBeenCalled();
  });

  test("not written while nobody knows which of the agent's last words were kept", async () => {
    const { store, written, agent, start, finish } = await begin();
    await start("one");
    await finish();
    const mending = new Deferred<void>();
    vi.spyOn(store, "read").mockImplementation(() => {
      mending.resolve();
      return new Deferred<never>().promise;
    });
    store.room = 0;
    agent.emit({ type: "permission.requested", data: { permission_id: "p", action: "run", status: "requested" } });
    await mending.promise;
    vi.runAllTimers();
    expect(written).not.toHaveBeenCalled();
  });
});

test("in the middle of a long turn one is kept, and a start after a crash in it closes the turn", async () => {
  const dataDir = temporaryDirectory();
  const store = new FilesStore(dataDir);
  const agent = new ScriptedAgent();
  const { session } = await openSessions(store, agent.adapter, { checkpointEvents: 50 }).create("s", {
    agent: "scripted",
  });
  await session.admit({ message: "hello" });
  await agent.prompted(1);
  for (let n = 0; n < 120; n++) {
    agent.emit({ type: "item.delta", data: { item_id: "i", delta: `${n} ` } });
    await session.log.settled();
  }
  const copy = temporaryDirectory();
  cpSync(dataDir, copy, { recursive: true });
  const { head } = (await storedIn(copy))!;
  const { checkpoint } = JSON.parse(readFileSync(checkpointOf(copy), "utf8"));
  expect(checkpoint.head).toBeGreaterThan(50);
  expect(checkpoint.head).toBeLessThan(head);

  const kept = new FilesStore(copy);
  const recovered = openSessions(kept, agent.adapter, {});
  await recovered.recover();
  const { state, log } = recovered.get("s").recorder;
  expect(state).toMatchObject({ turnId: null, openItems: {}, openText: 0 });
  const texts: string[] = [];
  for await (const chunk of log.read(head, 10, false)) texts.push(chunk.bytes.toString());
  const [item, end] = texts
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const spelled = Array.from({ length: 120 }, (_, n) => `${n} `).join("");
  expect(item.data.item).toMatchObject({ status: "failed", content: [{ type: "text", text: spelled }] });
  expect(end).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "error" } } });
});
