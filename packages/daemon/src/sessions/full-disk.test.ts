/** Feared: a disk that is full at any moment: a log that says what never happened, a session that hangs for ever after. */
import type { EventPayload, UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { expectSound, ofType } from "../__fixtures__/client.ts";
import { diskBroken, diskFull, FailingStore } from "../__fixtures__/failing-store.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import type { Session } from "./session.ts";

async function begin() {
  const store = new FailingStore();
  const agent = new ScriptedAgent();
  const sessions = openSessions(store, agent.adapter, { retryWriteMs: 5 });
  const { session } = await sessions.create("s", { agent: "scripted" });
  return { store, agent, sessions, session };
}

async function eventsOf(session: Session): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for await (const chunk of session.log.read(0, Number.POSITIVE_INFINITY, false)) {
    for (const line of chunk.bytes.toString().trim().split("\n")) events.push(JSON.parse(line));
  }
  return events;
}

/** The whole log once so many turns have ended. */
async function afterTurns(session: Session, count: number): Promise<UniversalEvent[]> {
  let ended = 0;
  for await (const chunk of session.log.follow(0, { signal: new AbortController().signal, raw: false })) {
    ended += chunk.text.split('"type":"turn.ended"').length - 1;
    if (ended >= count) break;
  }
  const events = await eventsOf(session);
  expectSound(events);
  return events;
}

const started: EventPayload = {
  type: "item.started",
  data: { item: { item_id: "i", kind: "message", role: "assistant", status: "in_progress", content: [] } },
};
const delta = (text: string): EventPayload => ({ type: "item.delta", data: { item_id: "i", delta: text } });
const completed = (text: string): EventPayload => ({
  type: "item.completed",
  data: {
    item: { item_id: "i", kind: "message", role: "assistant", status: "completed", content: [{ type: "text", text }] },
  },
});
const asked: EventPayload = {
  type: "permission.requested",
  data: { permission_id: "p", action: "run", status: "requested" },
};

const reasonsOf = (events: readonly UniversalEvent[]) =>
  ofType(events, "turn.ended").map(({ data }) => data.metadata.reason);

describe("a message", () => {
  test("that cannot be kept is refused, and leaves the session at rest", async () => {
    const { store, agent, session } = await begin();
    store.room = 0;
    await expect(session.admit({ message: "hello", idempotencyKey: "key" })).rejects.toThrow(diskFull);
    expect(session.busy).toBe(false);
    store.room = Number.POSITIVE_INFINITY;
    await session.admit({ message: "hello", idempotencyKey: "key" });
    await agent.prompted(1);
    agent.finish();
    expect(reasonsOf(await afterTurns(session, 1))).toEqual(["completed"]);
    expect(agent.prompts).toEqual(["hello"]);
  });

  test("sent twice at once with one key is refused twice, or taken twice", async () => {
    const { store, session } = await begin();
    store.room = 0;
    const both = [
      session.admit({ message: "hello", idempotencyKey: "key" }),
      session.admit({ message: "hello", idempotencyKey: "key" }),
    ];
    for (const { status } of await Promise.allSettled(both)) expect(status).toBe("rejected");
  });

  test("that is written but not durable runs, and its sender hears about the disk until it is", async () => {
    const { store, agent, session } = await begin();
    store.canSync = false;
    await expect(session.admit({ message: "hello", idempotencyKey: "key" })).rejects.toThrow(diskBroken);
    await agent.prompted(1);
    await expect(session.admit({ message: "hello", idempotencyKey: "key" })).rejects.toThrow(diskBroken);
    store.canSync = true;
    const { turnId } = await session.admit({ message: "hello", idempotencyKey: "key" });
    agent.finish();
    const events = await afterTurns(session, 1);
    expect(ofType(events, "turn.started").map(({ data }) => data.turn_id)).toEqual([turnId]);
    expect(agent.prompts).toEqual(["hello"]);
  });

  test("that was taken runs as soon as its start can be written, once", async () => {
    const { store, agent, session } = await begin();
    store.room = 400;
    await session.admit({ message: "x".repeat(100) });
    await store.refused();
    await store.refused();
    expect(agent.prompts).toEqual([]);
    store.room = Number.POSITIVE_INFINITY;
    await agent.prompted(1);
    agent.finish();
    const events = await afterTurns(session, 1);
    expect(reasonsOf(events)).toEqual(["completed"]);
    expect(agent.prompts).toHaveLength(1);
  });
});

describe("what the agent says", () => {
  test("and cannot be written ends the turn with the reason, when it can be written", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    agent.emit(started, delta("kept"));
    await session.log.sync();
    store.room = 0;
    agent.emit(delta(" lost"), asked);
    await store.refused();
    agent.emit(delta(" late"));
    store.room = Number.POSITIVE_INFINITY;
    const events = await afterTurns(session, 1);
    expect(ofType(events, "turn.ended")[0]?.data.metadata).toMatchObject({ reason: "error", message: diskFull });
    const items = ofType(events, "item.completed").filter(({ data }) => data.item.role === "assistant");
    expect(items.map(({ data }) => data.item)).toMatchObject([{ status: "failed", content: [{ text: "kept" }] }]);
    expect(agent.closes).toBe(1);
  });

  test("and is too large for what is left does not make the end a lie, which is small enough", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    agent.emit(started, delta("kept"));
    await session.log.sync();
    store.room = 2000;
    agent.emit(delta("x".repeat(5000)), completed(`kept${"x".repeat(5000)}`), asked);
    agent.finish();
    const events = await afterTurns(session, 1);
    expect(reasonsOf(events)).toEqual(["error"]);
    expect(ofType(events, "permission.resolved")).toEqual([]);
  });

  test("goes on in the next turn, as if nothing had been", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "one" });
    await agent.prompted(1);
    store.room = 0;
    agent.emit(started, delta("lost"));
    await store.refused();
    store.room = Number.POSITIVE_INFINITY;
    await session.admit({ message: "two" });
    await agent.prompted(2);
    agent.emit(started, delta("again"), completed("again"));
    agent.finish();
    expect(reasonsOf(await afterTurns(session, 2))).toEqual(["error", "completed"]);
  });

  test("last, that the session is over, is written once", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    store.room = 0;
    agent.finish({ reason: "completed", sessionEnded: { reason: "completed", terminated_by: "agent" } });
    await store.refused();
    await store.refused();
    store.room = Number.POSITIVE_INFINITY;
    const events: UniversalEvent[] = [];
    for await (const _ of session.log.follow(0, { signal: new AbortController().signal, raw: false }));
    events.push(...(await eventsOf(session)));
    expectSound(events);
    expect(events.at(-1)?.type).toBe("session.ended");
  });
});

describe("a decision", () => {
  test("that cannot be written is refused and can be made again", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    agent.emit(asked);
    await session.log.sync();
    store.room = 0;
    await expect(session.replyPermission("p", { reply: "once" })).rejects.toThrow(diskFull);
    expect(agent.answered).toEqual([]);
    store.room = Number.POSITIVE_INFINITY;
    await session.replyPermission("p", { reply: "once" });
    expect(agent.answered).toMatchObject([{ id: "p", reply: "once" }]);
    agent.finish();
    expect(ofType(await afterTurns(session, 1), "permission.resolved")[0]?.data.reply).toBe("once");
  });
});

describe("stopping", () => {
  test("interrupt says that the disk is full, and the turn is stopped all the same", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    store.room = 0;
    await expect(session.interrupt()).rejects.toThrow(diskFull);
    store.room = Number.POSITIVE_INFINITY;
    expect(reasonsOf(await afterTurns(session, 1))).toEqual(["interrupted"]);
  });

  test.each(["while a turn runs", "at rest"])(
    "terminate %s says that the disk is full, and works when it is not",
    async (when) => {
      const { store, agent, session } = await begin();
      if (when !== "at rest") {
        await session.admit({ message: "hello" });
        await agent.prompted(1);
        await session.admit({ message: "behind it" });
      }
      store.room = 0;
      await expect(session.terminate()).rejects.toThrow(diskFull);
      expect(agent.closes).toBe(1);
      store.room = Number.POSITIVE_INFINITY;
      await session.terminate();
      const events = await eventsOf(session);
      expectSound(events);
      expect(events.at(-1)?.type).toBe("session.ended");
    },
  );

  test("after a terminate that failed, messages that waited are not forgotten", async () => {
    const { store, agent, session } = await begin();
    await session.admit({ message: "one" });
    await agent.prompted(1);
    await session.admit({ message: "two" });
    store.room = 0;
    await expect(session.terminate()).rejects.toThrow(diskFull);
    store.room = Number.POSITIVE_INFINITY;
    await agent.prompted(2);
    agent.finish();
    expect(reasonsOf(await afterTurns(session, 2))).toEqual(["interrupted", "completed"]);
  });

  test.each(["while a turn runs", "at rest"])("delete %s makes room: it needs none", async (when) => {
    const { store, agent, sessions, session } = await begin();
    if (when !== "at rest") {
      await session.admit({ message: "hello" });
      await agent.prompted(1);
    }
    store.room = 0;
    await sessions.delete("s");
    expect(() => sessions.get("s")).toThrow("There is no session");
    expect(await store.sessions()).toEqual([]);
    expect(agent.closes).toBe(1);
  });

  test("the daemon can stop, and the next one closes the turn", async () => {
    const { store, agent, sessions, session } = await begin();
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    store.room = 0;
    await sessions.shutDown();
    expect(agent.closes).toBe(1);
    expect(ofType(await eventsOf(session), "turn.ended")).toEqual([]);
    store.room = Number.POSITIVE_INFINITY;
    const next = openSessions(store, agent.adapter, {});
    await next.recover();
    const ends = ofType(await afterTurns(next.get("s"), 1), "turn.ended");
    expect(ends[0]?.data.metadata).toMatchObject({ reason: "error", message: expect.stringContaining("restarted") });
  });

  test("a daemon that starts on a full disk leaves alone what it cannot close, and serves the rest", async () => {
    const { store, agent, sessions, session } = await begin();
    await sessions.create("other", { agent: "scripted" });
    await session.admit({ message: "hello" });
    await agent.prompted(1);
    store.room = 0;
    await sessions.shutDown();
    const next = openSessions(store, agent.adapter, {});
    await next.recover();
    const problems = next.list().map(({ id, problem }) => [id, problem?.message ?? "none"]);
    expect(Object.fromEntries(problems)).toEqual({ other: "none", s: expect.stringContaining(diskFull) });
  });

  test("terminate in the moment in which a message arrives: nothing comes after the end", async () => {
    for (let ticks = 0; ticks < 20; ticks++) {
      const { agent, session } = await begin();
      const admitted = session.admit({ message: "hello" }).catch(() => {});
      for (let tick = 0; tick < ticks; tick++) await null;
      await session.terminate();
      await admitted;
      expectSound(await eventsOf(session));
      expect(agent.closes).toBeLessThanOrEqual(2);
    }
  });
});

test.each(["its folder", "its first event"])(
  "a session is not created without room for %s, and leaves nothing",
  async (what) => {
    const { store, sessions } = await begin();
    if (what === "its folder") store.hasRoomForSessions = false;
    else store.room = 0;
    await expect(sessions.create("new", { agent: "scripted" })).rejects.toThrow(diskFull);
    expect((await store.sessions()).map(({ record }) => record.sessionId)).toEqual(["s"]);
    store.hasRoomForSessions = true;
    store.room = Number.POSITIVE_INFINITY;
    await sessions.create("new", { agent: "scripted" });
  },
);
