/** Feared: a session that cannot be recovered disappears: neither there nor removable, for the life of the daemon. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { agentText, ofType } from "../__fixtures__/client.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { FailingStore } from "../__fixtures__/failing-store.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

/** A daemon's directory with two sessions of some turns, closed. */
async function written(turns: readonly string[]) {
  const daemon = await startTestDaemon();
  const { dataDir, client } = daemon;
  for (const id of ["s", "other"]) await client.create(id);
  for (const message of turns) await client.turn("s", message, { "idempotency-key": message });
  const events = await client.events("s");
  await daemon.close();
  return { dataDir, events, inside: (name: string) => join(dataDir, "sessions", "s", name) };
}

describe("a session whose record is damaged", () => {
  test("is listed with the reason, can be read and deleted, and says why it takes no message", async () => {
    const { dataDir, events, inside } = await written(["one"]);
    writeFileSync(inside("session.json"), "{");
    const { client } = await startTestDaemon({ dataDir });
    const listed = (await client.call("GET", "/v1/sessions")).json<{ sessions: { sessionId: string }[] }>();
    expect(listed.sessions.map(({ sessionId }) => sessionId).sort()).toEqual(["other", "s"]);
    expect(await client.info("s")).toMatchObject({
      problem: expect.stringMatching(/damaged.*delete it/),
      status: "idle",
    });
    expect(await client.events("s")).toEqual(events);
    expect((await client.send("s", "two")).json()).toMatchObject({ detail: expect.stringMatching(/damaged/) });
    expect((await client.call("POST", "/v1/sessions/s/terminate")).status).toBe(500);
    expect((await client.call("DELETE", "/v1/sessions/s")).status).toBe(204);
    await client.create("s");
    expect(agentText(await client.turn("s", "new"))).toBe("new");
  });
});

describe("a checkpoint", () => {
  test.each([
    ["null", null],
    ["an empty state", { state: {} }],
    ["a state of other types", { state: { sequence: 3, permissions: null, questions: 7, openItems: [] } }],
  ])("that says %s is not believed, however well it is sealed", async (_, snapshot) => {
    const { dataDir, events, inside } = await written(["one"]);
    const { checkpoint } = JSON.parse(readFileSync(inside("checkpoint.json"), "utf8"));
    const text = JSON.stringify({ ...checkpoint, snapshot });
    writeFileSync(inside("checkpoint.json"), `{"crc32":${crc32(text)},"checkpoint":${text}}\n`);
    const { client } = await startTestDaemon({ dataDir });
    expect((await client.call("GET", "/v1/sessions")).status).toBe(200);
    expect(await client.info("s")).toMatchObject({ eventCount: events.length, title: "one" });
    expect(agentText(await client.turn("s", "two"))).toBe("two");
  });
});

describe("old messages are not sent to the agent again when the log", () => {
  test.each<[string, (path: string, size: number) => void, number]>([
    ["is gone", (path) => rmSync(path), 5],
    ["is empty", (path) => truncateSync(path), 5],
    ["is half as long", (path, size) => truncateSync(path, Math.floor(size / 2)), 2],
  ])("%s", async (_, damage, lost) => {
    const { dataDir, inside } = await written(["one", "two", "three", "four", "five"]);
    damage(inside("events.jsonl"), readFileSync(inside("events.jsonl")).length);
    const { client, close } = await startTestDaemon({ dataDir });
    const before = await client.soundLog("s");
    expect(ofType(before, "error").at(-1)?.data).toMatchObject({
      message: expect.stringContaining("has lost events"),
      details: { messages: lost },
    });
    expect(agentText(await client.turn("s", "six"))).toBe("six");
    await close();

    rmSync(inside("checkpoint.json"));
    const again = await startTestDaemon({ dataDir });
    const after = await again.client.soundLog("s");
    expect(ofType(after, "error")).toHaveLength(ofType(before, "error").length);
    expect(agentText(after.slice(before.length))).toBe("six");
  });
});

test("a session whose end cannot be written on a full disk can be read, and goes on when there is space", async () => {
  const store = new FailingStore();
  const agent = new ScriptedAgent();
  const first = openSessions(store, agent.adapter, { retryWriteMs: 5 });
  const { session } = await first.create("s", { agent: "scripted" });
  await session.admit({ message: "hello" });
  await agent.prompted(1);
  store.room = 0;

  const second = openSessions(store, agent.adapter, { retryWriteMs: 5 });
  await second.recover();
  const recovered = second.get("s");
  expect(recovered.problem?.message).toMatch(/disk is full.*can be read and deleted/);
  await expect(recovered.admit({ message: "more" })).rejects.toThrow(/disk is full/);
  expect(recovered.log.head).toBeGreaterThan(0);

  store.room = Number.POSITIVE_INFINITY;
  await eventually(() => expect(recovered.problem).toBeUndefined());
  await recovered.admit({ message: "more" });
  await agent.prompted(2);
  expect(agent.prompts).toEqual(["hello", "more"]);
});
