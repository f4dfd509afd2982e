/** Feared: a retry that runs the message twice, or a turn that is replayed with too much or too little. */
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { type Client, codeOf, expectSound, ofType, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const key = { "idempotency-key": "the-key" };

function turnOf(events: readonly UniversalEvent[], turnId: string): UniversalEvent[] {
  const isMark = (event: UniversalEvent) => event.type.startsWith("turn.") && "turn_id" in event.data;
  const marks = events.flatMap((event, at) => (isMark(event) && JSON.stringify(event).includes(turnId) ? [at] : []));
  return events.slice(marks[0], marks[1]! + 1);
}

async function restEnd(client: Client, id: string): Promise<UniversalEvent[]> {
  const reader = await client.follow(id);
  await client.message(id, "echo the last");
  const last = await reader.until((event) => event.type === "item.delta" && event.data.delta === "last");
  await reader.until((event) => event.type === "turn.ended" && event.sequence > last.length);
  reader.drop();
  return client.soundLog(id);
}

describe("the same key", () => {
  test("twice: one turn", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const first = await client.message("s", "echo x", key);
    expect(await client.message("s", "echo x", key)).toBe(first);
    expect(ofType(await restEnd(client, "s"), "turn.started")).toHaveLength(2);
  });

  test("20 times at once: one turn, one answer", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const ids = await Promise.all(Array.from({ length: 20 }, () => client.message("s", "echo x", key)));
    expect(new Set(ids).size).toBe(1);
    expect(ofType(await restEnd(client, "s"), "turn.started")).toHaveLength(2);
  });

  test("in another session is another key", async () => {
    const { client } = await startTestDaemon();
    await client.create("a");
    await client.create("b");
    expect(await client.message("a", "echo x", key)).not.toBe(await client.message("b", "echo x", key));
  });

  test("after a restart: the same turn, which is not run again", async () => {
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    await first.client.create("s");
    const turnId = await first.client.message("s", "echo x", key);
    await first.client.turn("s", "echo y");
    await first.close();
    const { client } = await startTestDaemon({ dataDir });
    expect(await client.message("s", "echo x", key)).toBe(turnId);
    expect(ofType(await restEnd(client, "s"), "turn.started")).toHaveLength(3);
  });

  test("after the session has ended with that turn: still its answer, since it was only a retry", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const events = await client.turn("s", "end", key);
    const [started] = ofType(events, "turn.started");
    expect(await client.message("s", "end", key)).toBe(started?.data.turn_id);
    expect((await client.send("s", "end", { "idempotency-key": "new" })).status).toBe(409);
  });
});

describe("with another message", () => {
  test.each([
    ["another text", { message: "echo y" }],
    ["another attachment", { message: "echo x", attachments: [{ path: "/b" }] }],
    ["no attachment", { message: "echo x" }],
  ])("%s is refused, and nothing happens", async (_what, other) => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const body = { message: "echo x", attachments: [{ path: "/a", mime: null }] };
    const path = `${session("s")}/messages`;
    expect((await client.call("POST", path, body, key)).status).toBe(202);
    expect((await client.call("POST", path, { ...body, attachments: [{ path: "/a" }] }, key)).status).toBe(202);
    const answer = await client.call("POST", path, other, key);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toBe("invalid_request");
    expect(ofType(await restEnd(client, "s"), "turn.started")).toHaveLength(2);
  });

  test("a key that is too long is refused, an empty one is none", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    expect((await client.send("s", "x", { "idempotency-key": "k".repeat(256) })).status).toBe(400);
    expect((await client.send("s", "x", { "idempotency-key": "k".repeat(255) })).status).toBe(202);
    const empty = { "idempotency-key": "" };
    expect(await client.message("s", "x", empty)).not.toBe(await client.message("s", "x", empty));
  });
});

describe("streaming a turn", () => {
  test("gives exactly that turn, from its start to its end, among others", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    await client.message("s", "echo before");
    const streams = await Promise.all(["tool", "markdown", "status"].map((message) => client.turn("s", message)));
    const log = await client.soundLog("s");
    for (const events of streams) {
      const [started] = ofType(events, "turn.started");
      expect(events).toEqual(turnOf(log, started!.data.turn_id));
    }
  });

  test("by key it replays the turn, while it runs, after it has ended, and after a restart", async () => {
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    await first.client.create("s");
    await first.client.turn("s", "echo before");
    const [live, again] = await Promise.all([
      first.client.turn("s", "slow 5 5", key),
      first.client.turn("s", "slow 5 5", key),
    ]);
    expect(again).toEqual(live);
    await first.client.turn("s", "echo after");
    expect(await first.client.turn("s", "slow 5 5", key)).toEqual(live);
    await first.close();
    const { client } = await startTestDaemon({ dataDir });
    expect(await client.turn("s", "slow 5 5", key)).toEqual(live);
    expect(ofType(await client.soundLog("s"), "turn.started")).toHaveLength(3);
  });

  test("a stream that is dropped does not stop the turn", async () => {
    const { client, url } = await startTestDaemon();
    await client.create("s");
    const reader = await client.follow("s");
    const stream = await fetch(`${url}${session("s")}/messages/stream`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "slow 10 5" }),
    });
    await stream.body?.cancel();
    await reader.until((event) => event.type === "turn.ended");
    const [ended] = ofType(await client.soundLog("s"), "turn.ended");
    expect(ended?.data.metadata.reason).toBe("completed");
  });

  test("of a turn that never began, because the session ended before, says so and is over", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const reader = await client.follow("s");
    const running = client.turn("s", "permission");
    await reader.until((event) => event.type === "permission.requested");
    const waiting = await client.startTurn("s", "echo never");
    expect((await client.call("POST", `${session("s")}/terminate`)).status).toBe(204);
    expect((await running).at(-1)?.type).toBe("turn.ended");
    expect(await waiting.closed).toBe("ended");
    expect(waiting.events.map(({ type }) => type)).toEqual(["session.ended"]);
    expectSound(await client.events("s"));
  });

  test("with the agent's own payloads", async () => {
    const { client } = await startTestDaemon();
    await client.create("s", { agent: "fake" });
    const path = `${session("s")}/messages/stream?include_raw=true`;
    const answer = await client.call("POST", path, { message: "hello world" });
    const data = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as UniversalEvent);
    expect(data.filter(({ source }) => source === "agent").every((event) => event.raw)).toBe(true);
    expect(data.map(({ sequence }) => sequence)).toEqual((await client.soundLog("s")).slice(1).map((e) => e.sequence));
  });
});
