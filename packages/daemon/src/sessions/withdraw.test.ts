/** Feared: a message that was taken back runs all the same, or takes others with it. */
import { type SessionListEvent, TurnsResponse } from "@sandbox-agent-ts/protocol";
import { MemoryStore } from "@sandbox-agent-ts/store";
import { describe, expect, test } from "vitest";
import { type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { TurnQueue } from "./turn-queue.ts";

const post = (client: Client, turnId: string, body: object = {}) =>
  client.call("POST", `${session("s")}/messages`, { message: `echo ${turnId}`, turnId, ...body });

const withdraw = (client: Client, turnId: string) => client.call("DELETE", `${session("s")}/turns/${turnId}`);

async function turnsOf(client: Client): Promise<TurnsResponse> {
  const answer = (await client.call("GET", `${session("s")}/turns`)).json<TurnsResponse>();
  expect(TurnsResponse.parse(answer)).toEqual(answer);
  return answer;
}

/** A turn `running` that waits for a person, and messages behind it. */
async function busySession(client: Client, ...waiting: string[]): Promise<() => Promise<void>> {
  await client.create("s");
  const reader = await client.follow("s");
  await post(client, "running", { message: "permission" });
  const events = await reader.until(({ type }) => type === "permission.requested");
  const [asked] = ofType(events, "permission.requested");
  for (const turnId of waiting) expect((await post(client, turnId)).status).toBe(202);
  return async () => {
    const path = `${session("s")}/permissions/${asked?.data.permission_id}/reply`;
    expect((await client.call("POST", path, { reply: "once" })).status).toBe(204);
  };
}

async function startedTurns(client: Client): Promise<string[]> {
  await client.turn("s", "echo the last");
  return ofType(await client.soundLog("s"), "turn.started").map(({ data }) => data.turn_id);
}

describe("waiting turns", () => {
  test("are listed in order, with what was sent, beside the one that runs", async () => {
    const { client } = await startTestDaemon();
    const allow = await busySession(client);
    const attachments = [{ path: "/a/shot.png" }, { url: "data:text/plain,x", filename: "notes.txt" }];
    await post(client, "a", { attachments, messageId: "mine" });
    await post(client, "b");
    expect(await turnsOf(client)).toEqual({
      runningTurnId: "running",
      waiting: [
        {
          turnId: "a",
          message: "echo a",
          attachments: ["shot.png", "notes.txt"],
          messageId: "mine",
          admittedAt: expect.any(Number),
        },
        { turnId: "b", message: "echo b", attachments: [], admittedAt: expect.any(Number) },
      ],
    });
    await allow();
    await startedTurns(client);
    await eventually(async () => expect(await turnsOf(client)).toEqual({ runningTurnId: null, waiting: [] }));
    expect(codeOf(await client.call("GET", `${session("no")}/turns`))).toBe("session_not_found");
  });
});

describe("a turn that is withdrawn", () => {
  test("never runs, and the others do", async () => {
    const { client } = await startTestDaemon();
    const allow = await busySession(client, "a", "b", "c");
    const before = await client.events("s");
    expect((await withdraw(client, "b")).status).toBe(204);
    expect((await client.info("s")).queuedTurns).toBe(2);
    expect((await turnsOf(client)).waiting.map(({ turnId }) => turnId)).toEqual(["a", "c"]);
    expect(await client.events("s")).toEqual(before);
    expect((await withdraw(client, "b")).status, "again").toBe(204);
    await allow();
    expect((await startedTurns(client)).slice(0, -1)).toEqual(["running", "a", "c"]);
  });

  test("cannot be sent again under its name, and its stream is over", async () => {
    const { client } = await startTestDaemon();
    const allow = await busySession(client);
    const stream = await client.startTurn("s", "echo a", { "idempotency-key": "k" });
    const [waiting] = (await turnsOf(client)).waiting;
    expect((await withdraw(client, waiting!.turnId)).status).toBe(204);
    expect(await stream.closed).toBe("ended");
    expect(stream.events).toEqual([]);
    for (const answer of [
      await client.send("s", "echo a", { "idempotency-key": "k" }),
      await post(client, waiting!.turnId, { message: "echo a" }),
    ]) {
      expect(codeOf(answer)).toBe("turn_already_exists");
      expect(answer.text).toContain("was withdrawn");
    }
    await allow();
    expect(await startedTurns(client)).toHaveLength(2);
  });

  test("is refused with a sentence when it runs, has ended, or never was", async () => {
    const { client } = await startTestDaemon();
    const allow = await busySession(client);
    const running = await withdraw(client, "running");
    expect([running.status, codeOf(running)]).toEqual([409, "turn_already_started"]);
    expect(running.text).toContain("interrupt it instead");
    await allow();
    await startedTurns(client);
    const ended = await withdraw(client, "running");
    expect([ended.status, codeOf(ended)]).toEqual([409, "turn_already_started"]);
    expect(ended.text).toContain("it has ended");
    const unknown = await withdraw(client, "nobody");
    expect([unknown.status, codeOf(unknown)]).toEqual([404, "turn_not_found"]);
    await client.call("POST", `${session("s")}/terminate`);
    expect((await withdraw(client, "running")).status).toBe(409);
  });

  test("never runs after the daemon was killed", { timeout: 120_000 }, async () => {
    const dataDir = temporaryDirectory();
    const first = await DaemonProcess.start({ dataDir });
    await busySession(first.client, "a", "b", "c");
    expect((await withdraw(first.client, "a")).status).toBe(204);
    expect((await withdraw(first.client, "c")).status).toBe(204);
    await first.kill();
    const { client } = await DaemonProcess.start({ dataDir });
    expect((await startedTurns(client)).slice(0, -1)).toEqual(["running", "b"]);
    expect((await withdraw(client, "c")).status, "again").toBe(204);
    expect(codeOf(await post(client, "a"))).toBe("turn_already_exists");
    expect(codeOf(await client.call("GET", `${session("s")}/diff?turn=a`))).toBe("not_found");
  });

  test("is told in the stream of all sessions", async () => {
    const { client, url } = await startTestDaemon();
    await busySession(client, "a");
    const stream = await fetch(`${url}/v1/events/sse`);
    const told: SessionListEvent[] = [];
    const reading = (async () => {
      let text = "";
      for await (const bytes of stream.body!) {
        text += Buffer.from(bytes).toString("utf8");
        told.splice(0, told.length, ...[...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!)));
        if (told.some((event) => "session" in event && event.session.queuedTurns === 0)) return;
      }
    })();
    await eventually(() => expect(told).not.toEqual([]));
    await withdraw(client, "a");
    await reading;
    expect(told.at(-1)).toMatchObject({ session: { sessionId: "s", queuedTurns: 0 } });
  });
});

test("a turn is either withdrawn or run, however close the two are", async () => {
  const store = new MemoryStore();
  await store.create({ sessionId: "s", uid: "u", createdAt: 0, config: null });
  const queue = new TurnQueue(store, "s");
  for (let n = 0; n < 50; n++) {
    await queue.admit({ message: "x", turnId: `t${n}` }, () => 0);
    const taking = queue.first().then((turn) => turn !== undefined && queue.take(turn));
    const withdrawing = queue.withdraw(`t${n}`);
    const [isTaken, found] = await Promise.all([taking, withdrawing]);
    expect(found).toBe(isTaken ? "begun" : "withdrawn");
    expect(queue.length).toBe(0);
  }
});

test("a withdrawal that cannot be kept has not happened", async () => {
  const store = new MemoryStore();
  await store.create({ sessionId: "s", uid: "u", createdAt: 0, config: null });
  const queue = new TurnQueue(store, "s");
  for (const turnId of ["a", "b", "c"]) await queue.admit({ message: "x", turnId }, () => 0);
  const { withdrawTurn } = store;
  store.withdrawTurn = () => Promise.reject(new Error("no space"));
  await expect(queue.withdraw("b")).rejects.toThrow("no space");
  expect(queue.waiting.map(({ turnId }) => turnId)).toEqual(["a", "b", "c"]);
  store.withdrawTurn = withdrawTurn;
  expect(await queue.withdraw("b")).toBe("withdrawn");
});
