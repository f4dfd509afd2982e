/**
 * Feared: a page that comes back in the middle of a turn and misses a word or sees it twice; one that comes late and shows
 * something else than one that was there; a socket on which somebody hears of the sessions of others.
 */
import { blocksOfEvents, SessionProjection } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { startTestRuntime, type TestRuntime, turnsOf } from "../../__fixtures__/test-runtime.ts";
import { ask, blocksOf, connect, happens, keyOf, record, type Told } from "./__fixtures__/socket-reader.ts";

const long = 180_000;

async function messagesOf({ client }: TestRuntime, sessionId: string, turns: number) {
  const events = await turnsOf(client, sessionId, turns);
  const projection = new SessionProjection(sessionId);
  return { events, messages: events.flatMap((event) => projection.apply(event)) };
}

async function joined(socket: ReturnType<typeof connect>, sessionId: string, after?: number) {
  const answer = await ask(socket, "session:join", { sessionId, ...(after === undefined ? {} : { after }) });
  if (!answer.ok) throw new Error(answer.error.detail ?? "");
  return answer;
}

test(
  "one who was there, one who comes in mid-turn and one who is cut off again and again all have the same",
  async () => {
    const testRuntime = await startTestRuntime();
    const { gateway, client } = testRuntime;
    const key = await keyOf(testRuntime, "ann");
    const ann = await testRuntime.clientOf("ann");
    await ann.createSession("s", { agent: "mock" });
    const early = connect(gateway.url, key);
    const polling = connect(gateway.url, key, ["polling"]);
    const [told, polled] = [record(early), record(polling)];
    const statuses: unknown[] = [];
    early.on("session:status", (status) => void statuses.push(status));
    const first = await joined(early, "s");
    await joined(polling, "s", 0);
    expect(first.state).toMatchObject({ sessionId: "s", blocks: [], runtime: { sandbox: null } });
    expect(first.runningTurnId).toBeNull();

    const sent = await ask(early, "session:send", { sessionId: "s", message: "slow 400 2", idempotencyKey: "once" });
    expect(await ask(early, "session:send", { sessionId: "s", message: "slow 400 2", idempotencyKey: "once" })).toEqual(
      sent,
    );
    await expect.poll(() => told.length, { timeout: long }).toBeGreaterThan(50);
    const late = connect(gateway.url, key);
    const toldLate = record(late);
    const second = await joined(late, "s");
    expect(second.cursor).toBeGreaterThan(first.cursor);
    expect(second.runningTurnId).toBe(sent.ok ? sent.turnId : undefined);

    const pieces: Told[] = [];
    let cursor = first.cursor;
    const isAtEnd = () => pieces.at(-1)?.name === "session:turn:ended";
    for (let cut = 0; cut < 200 && !isAtEnd(); cut++) {
      const socket = connect(gateway.url, key);
      const after = 1 + Math.floor(Math.random() * 20);
      await new Promise<void>((resolve) => {
        let count = 0;
        socket.onAny((name: string, data: Told["data"] | undefined) => {
          if (data?.cursor === undefined || count === after) return;
          pieces.push({ name, data });
          cursor = data.cursor;
          count += 1;
          if (count === after || name === "session:turn:ended") resolve(void socket.disconnect());
        });
        socket.emit("session:join", { sessionId: "s", after: cursor }, () => {});
      });
    }

    const { events, messages } = await messagesOf({ ...testRuntime, client }, "s", 1);
    await expect
      .poll(() => [told, toldLate, polled].map((all) => all.at(-1)?.name), { timeout: long })
      .toEqual(["session:turn:ended", "session:turn:ended", "session:turn:ended"]);
    const all = messages.filter(({ data }) => data.cursor > first.cursor);
    expect(told).toEqual(all);
    expect(polled).toEqual(messages);
    expect(pieces).toEqual(all);
    expect(toldLate).toEqual(all.filter(({ data }) => data.cursor > second.cursor));
    const whole = blocksOfEvents(events);
    expect(blocksOf(first.state, told)).toEqual(whole);
    expect(blocksOf(second.state, toldLate)).toEqual(whole);
    expect(statuses).toContainEqual(
      expect.objectContaining({ sessionId: "s", runtime: expect.objectContaining({ isLoaded: true }) as unknown }),
    );
    await ask(early, "session:leave", { sessionId: "s" });
  },
  long,
);

test(
  "nobody hears of the sessions of others, and who may not come in is told why",
  async () => {
    const testRuntime = await startTestRuntime({ limits: {} });
    const { gateway, runtime, client } = testRuntime;
    const ann = await testRuntime.clientOf("ann");
    await ann.createSession("s", { agent: "mock" });
    const bob = connect(gateway.url, await keyOf(testRuntime, "bob"));
    const told = record(bob);
    const changed: unknown[] = [];
    bob.on("sessions:changed", () => changed.push(1));
    const foreign = await ask(bob, "session:join", { sessionId: "s" });
    const unknown = await ask(bob, "session:join", { sessionId: "t" });
    expect(foreign).toMatchObject({ ok: false, error: { status: 404, detail: 'There is no session "s".' } });
    expect(JSON.stringify(unknown)).toBe(
      JSON.stringify(foreign).replaceAll('"s"', '"t"').replaceAll('\\"s\\"', '\\"t\\"'),
    );
    for (const [name, body] of [
      ["session:send", { sessionId: "s", message: "hi" }],
      ["session:interrupt", { sessionId: "s" }],
      ["session:permission:reply", { sessionId: "s", permissionId: "p", reply: "once" }],
      ["session:question:reply", { sessionId: "s", questionId: "q", answers: null }],
    ] as const) {
      expect(await ask(bob, name, body as never)).toMatchObject({ ok: false, error: { status: 404 } });
    }
    expect(await ask(bob, "session:join", {} as never)).toMatchObject({ ok: false, error: { status: 400 } });
    expect(await ask(bob, "session:nothing" as never, {} as never)).toMatchObject({
      ok: false,
      error: { status: 404 },
    });

    const owner = connect(gateway.url, await keyOf(testRuntime, "ann"));
    const heard = happens(owner, "sessions:changed");
    await joined(owner, "s");
    await ann.renameSession("s", { title: "Another" });
    await heard;
    const deleted = happens(owner, "session:deleted");
    await ann.deleteSession("s");
    expect(await deleted).toEqual({ sessionId: "s" });
    expect([told, changed]).toEqual([[], []]);

    for (const token of [undefined, "sak_wrong-and-long-enough"]) {
      const refused = (await happens(connect(gateway.url, token), "connect_error")) as Error & { data?: object };
      expect(refused.data).toMatchObject({ status: 401 });
    }
    const { key, id } = await runtime.keys.create({ name: "eve" });
    const eve = connect(gateway.url, key);
    await happens(eve, "connect");
    const closing = happens(eve, "connection:closing");
    await runtime.keys.revoke(id);
    expect(await closing).toMatchObject({ status: 401 });
    expect(client).toBeDefined();
  },
  long,
);

test(
  "a session token reaches its session until it expires, or is followed by another",
  async () => {
    const testRuntime = await startTestRuntime();
    const { gateway, runtime } = testRuntime;
    const ann = await testRuntime.clientOf("ann");
    await ann.createSession("s", { agent: "mock" });
    await ann.createSession("t", { agent: "mock" });
    const principal = { principal: "ann", scope: "write" } as const;
    const issue = async (expiresIn: number) =>
      runtime.access.issueToken(principal, await runtime.sessions.ownership("s"), { scope: "read", expiresIn }).token;
    const socket = connect(gateway.url, await issue(60));
    expect(await ask(socket, "session:join", { sessionId: "t" })).toMatchObject({ ok: false, error: { status: 404 } });
    await joined(socket, "s");
    const send = await ask(socket, "session:send", { sessionId: "s", message: "hi" });
    expect(send).toMatchObject({ ok: false, error: { status: 403 } });
    const closing = happens(socket, "connection:closing");
    const renewed = await ask(socket, "connection:token", { token: await issue(1) });
    expect(renewed).toMatchObject({ ok: true, expiresAt: expect.any(Number) as number });
    const gone = happens(socket, "disconnect");
    expect(await closing).toMatchObject({ status: 401, detail: expect.stringContaining("expired") as string });
    await gone;
  },
  long,
);
