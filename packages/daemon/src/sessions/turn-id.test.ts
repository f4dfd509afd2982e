/** Feared: a turn that its sender named runs twice, under another name, or in the place of another message. */
import { MemoryStore, type TurnRecord } from "@sandbox-agent-ts/store";
import { describe, expect, test } from "vitest";
import { type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { AdmittedTurns } from "./admitted-turns.ts";

const post = (client: Client, body: object, headers: Record<string, string> = {}) =>
  client.call("POST", `${session("s")}/messages`, { message: "echo x", ...body }, headers);

const stream = (client: Client, body: object) =>
  client.call("POST", `${session("s")}/messages/stream`, { message: "echo x", ...body });

async function startedTurns(client: Client): Promise<string[]> {
  await client.turn("s", "echo the last");
  return ofType(await client.soundLog("s"), "turn.started").map(({ data }) => data.turn_id);
}

describe("a turn id that the sender chose", () => {
  test("is the one of the turn, from its start to its end", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const turnId = `run:1-a.b_${"x".repeat(190)}`;
    const answer = await stream(client, { turnId });
    expect(answer.status).toBe(200);
    const events = await client.soundLog("s");
    expect(ofType(events, "turn.started").map(({ data }) => data.turn_id)).toEqual([turnId]);
    expect(ofType(events, "turn.ended").map(({ data }) => data.turn_id)).toEqual([turnId]);
    expect(answer.text).toContain('"type":"turn.ended"');
  });

  test.each(["", "x".repeat(201), "a b", "a/b", 'a"b', "ä", "a\n"])("is refused as %j", async (turnId) => {
    const { client } = await startTestDaemon();
    await client.create("s");
    expect(codeOf(await post(client, { turnId }))).toBe("invalid_request");
    expect(await client.events("s")).toHaveLength(1);
  });

  test("sent again, with whatever key, is a retry: at once, at its end, after the session's end", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    const keys = [{}, { "idempotency-key": "a" }, { "idempotency-key": "b" }];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(client, { turnId: "t-1" }, keys[n % keys.length])),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [202, '{"turnId":"t-1"}']));
    expect(await startedTurns(client)).toEqual(["t-1", expect.stringMatching(/^turn_/)]);
    expect((await stream(client, { turnId: "t-1" })).text).toContain('"turn_id":"t-1"');
    await client.call("POST", `${session("s")}/terminate`);
    expect((await post(client, { turnId: "t-1" })).status).toBe(202);
    expect((await post(client, { turnId: "t-2" })).status).toBe(409);
  });

  test("with another message is refused, and so is a key that has another turn", async () => {
    const { client } = await startTestDaemon();
    await client.create("s");
    await post(client, { turnId: "t-1" }, { "idempotency-key": "k" });
    for (const other of [{ message: "echo y" }, { attachments: [{ path: "/a" }] }]) {
      const answer = await post(client, { turnId: "t-1", ...other });
      expect(answer.status).toBe(409);
      expect(codeOf(answer)).toBe("turn_already_exists");
      expect(answer.text).toContain("Use a new turnId");
    }
    expect(codeOf(await post(client, { turnId: "t-2" }, { "idempotency-key": "k" }))).toBe("invalid_request");
    expect(await startedTurns(client)).toEqual(["t-1", expect.any(String)]);
  });

  test("in another session is another turn", async () => {
    const { client } = await startTestDaemon();
    for (const id of ["s", "t"]) {
      await client.create(id);
      const body = { message: `echo ${id}`, turnId: "same" };
      expect((await client.call("POST", `${session(id)}/messages`, body)).status).toBe(202);
    }
  });

  test("runs once, whenever the daemon is killed", { timeout: 120_000 }, async () => {
    const dataDir = temporaryDirectory();
    const turns = ["before", "running", "waiting"];
    const message = (turnId: string) => (turnId === "running" ? "permission" : `echo ${turnId}`);
    const first = await DaemonProcess.start({ dataDir });
    await first.client.create("s");
    const reader = await first.client.follow("s");
    for (const turnId of turns) await post(first.client, { message: message(turnId), turnId });
    await reader.until(({ type }) => type === "permission.requested");
    await first.kill();

    for (let life = 0; life < 2; life++) {
      const { client, kill } = await restarted(dataDir);
      for (const turnId of turns) {
        const answer = await post(client, { message: message(turnId), turnId });
        expect(answer.text).toBe(`{"turnId":"${turnId}"}`);
      }
      const started = await startedTurns(client);
      expect(started.filter((id) => turns.includes(id))).toEqual(turns);
      expect(codeOf(await post(client, { message: "echo other", turnId: "running" }))).toBe("turn_already_exists");
      await kill();
    }
  });
});

async function restarted(dataDir: string) {
  const daemon = await DaemonProcess.start({ dataDir });
  return { client: daemon.client, kill: () => daemon.kill() };
}

test("a turn is known for ever, a key as long as a thousand younger ones are", async () => {
  const store = new MemoryStore();
  await store.create({ sessionId: "s", uid: "u", createdAt: 0, config: null });
  const record = (n: number): TurnRecord => ({
    turnId: `t${n}`,
    idempotencyKey: `k${n}`,
    message: `message ${n}`,
    attachments: [],
    after: n,
    admittedAt: 0,
  });
  for (let n = 0; n < 1500; n++) await store.appendTurn("s", record(n));
  const admitted = new AdmittedTurns(store, "s");
  for (const n of [0, 499, 500, 1499]) {
    const found = await admitted.find({ message: `message ${n}` }, { turnId: `t${n}` });
    expect(found?.turn).toEqual({ turnId: `t${n}`, after: n });
    await expect(admitted.find({ message: "other" }, { turnId: `t${n}` })).rejects.toMatchObject({
      code: "turn_already_exists",
    });
  }
  expect(await admitted.find({ message: "message 0" }, { turnId: "t1500" })).toBeUndefined();
  expect(await admitted.find({ message: "message 499" }, { idempotencyKey: "k499" })).toBeUndefined();
  expect(await admitted.find({ message: "message 500" }, { idempotencyKey: "k500" })).toBeDefined();
});
