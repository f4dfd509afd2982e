/** Feared: a list that misses a change, shows an older one after a newer, or asks again and again. */
import type { SessionInfo, SessionListEvent } from "@sandbox-agent-ts/protocol";
import { type SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { collect, listen, when } from "../__fixtures__/when.ts";
import { ClientStores } from "./client-stores.ts";
import { applySessionChange } from "./follow-sessions.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const session = (sessionId: string, createdAt: number, more: Partial<SessionInfo> = {}): SessionInfo =>
  ({ sessionId, createdAt, eventCount: 1, status: "idle", ...more }) as SessionInfo;
const changed = (info: SessionInfo): SessionListEvent => ({ type: "session.changed", session: info });
const idsOf = (sessions: readonly SessionInfo[] | undefined) => sessions?.map(({ sessionId }) => sessionId);

describe("the list of sessions of a daemon", () => {
  test("is read once, and then follows what happens", async () => {
    const { client, requests } = await startTestDaemon();
    await client.createSession("a", { agent: "mock" });
    const { sessions } = new ClientStores(client);
    listen(sessions);
    const list = (isIt: (data: readonly SessionInfo[]) => boolean) =>
      when(sessions, sessions.getSnapshot, ({ data }) => data !== undefined && isIt(data));
    await list(({ length }) => length === 1);
    await client.createSession("b", { agent: "mock" });
    const two = await list(({ length }) => length === 2);
    expect(idsOf(two.data)).toEqual(["b", "a"]);
    await client.postMessage("b", { message: "permission" });
    const waiting = await list(([b]) => b?.status === "waiting");
    expect(waiting.data![1]).toBe(two.data![1]);
    await client.terminateSession("b");
    await list(([b]) => b?.ended === true);
    await client.deleteSession("b");
    await list(({ length }) => length === 1);
    const read = requests.filter((request) => request === "GET /v1/sessions");
    expect(read).toHaveLength(1);
  });

  test("says that the daemon is away, and is read again when another start of it is back", async () => {
    const { client, requests, stop, start } = await startTestDaemon();
    await client.createSession("a", { agent: "mock" });
    const { sessions } = new ClientStores(client);
    listen(sessions);
    const { data } = await when(sessions, sessions.getSnapshot, ({ data: list }) => list?.length === 1);
    await stop();
    const away = await when(sessions, sessions.getSnapshot, ({ error }) => error !== undefined);
    expect(away.data).toBe(data);
    await start();
    await client.createSession("b", { agent: "mock" });
    const back = await when(sessions, sessions.getSnapshot, ({ data: list }) => list?.length === 2);
    expect(back.error).toBeUndefined();
    expect(requests.filter((request) => request === "GET /v1/sessions")).toHaveLength(2);
  });
});

/** A client whose stream and lists are scripted. */
function scripted() {
  const lists: ((sessions: SessionInfo[]) => void)[] = [];
  const streams: { send(event: SessionListEvent): void; fail(failure: Error): void; signal: AbortSignal }[] = [];
  async function* streamSessions({ signal, onConnection }: StreamOptions) {
    const arrived: (SessionListEvent | Error)[] = [];
    let wake = () => {};
    const push = (entry: SessionListEvent | Error) => {
      arrived.push(entry);
      wake();
    };
    streams.push({ send: push, fail: push, signal });
    signal.addEventListener("abort", () => wake());
    while (!signal.aborted) {
      for (const entry of arrived.splice(0)) {
        if (entry instanceof Error) throw entry;
        if (entry.type === "reset") onConnection("live");
        yield entry;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (arrived.length > 0 || signal.aborted) resolve();
      });
    }
  }
  const asked: string[] = [];
  const type = "urn:sandbox-agent:error:session_not_found" as const;
  const notFound = { type, title: "Session Not Found", status: 404 };
  const streamEvents = (sessionId: string) => {
    asked.push(sessionId);
    const next = () => Promise.reject(new SandboxAgentError(404, notFound));
    return { [Symbol.asyncIterator]: () => ({ next }) };
  };
  const client = {
    streamEvents,
    getSession: () => Promise.reject(new SandboxAgentError(404)),
    listSessions: () => new Promise((resolve) => lists.push((sessions) => resolve({ sessions }))),
    streamSessions,
  } as unknown as SandboxAgent;
  vi.useFakeTimers();
  const stores = new ClientStores(client);
  return { stores, sessions: stores.sessions, lists, streams, asked };
}

interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onConnection: (state: "live" | "reconnecting", failure?: unknown) => void;
}

const reset: SessionListEvent = { type: "reset", reason: "connected" };
const settle = () => vi.advanceTimersByTimeAsync(20);

describe("the stream of all sessions", () => {
  test("does not lose what arrives while the list is read, nor lets it hide what is newer in it", async () => {
    const { sessions, lists, streams } = scripted();
    listen(sessions);
    streams[0]!.send(reset);
    await settle();
    streams[0]!.send(changed(session("a", 1, { eventCount: 5, title: "newer" })));
    streams[0]!.send(changed(session("b", 2, { eventCount: 2, title: "older" })));
    await settle();
    expect(sessions.getSnapshot().data).toBeUndefined();
    lists[0]!([session("b", 2, { eventCount: 3, title: "listed" }), session("a", 1, { title: "listed" })]);
    await settle();
    expect(sessions.getSnapshot().data).toMatchObject([{ title: "listed" }, { title: "newer" }]);
    expect(lists).toHaveLength(1);
  });

  test("what arrives within a frame is one change", async () => {
    const { sessions, lists, streams } = scripted();
    const snapshots = collect(sessions, sessions.getSnapshot);
    streams[0]!.send(reset);
    await settle();
    lists[0]!([]);
    await settle();
    const before = snapshots.length;
    for (let count = 1; count <= 50; count += 1) streams[0]!.send(changed(session(`s${count}`, count)));
    await settle();
    expect(sessions.getSnapshot().data).toHaveLength(50);
    expect(snapshots).toHaveLength(before + 1);
  });

  test("a `reset` later on reads the list again, and sessions that did not change stay the same", async () => {
    const { sessions, lists, streams } = scripted();
    listen(sessions);
    streams[0]!.send(reset);
    await settle();
    lists[0]!([session("a", 1)]);
    await settle();
    const { data } = sessions.getSnapshot();
    streams[0]!.send({ type: "reset", reason: "expired" });
    await settle();
    lists[1]!([session("a", 1)]);
    await settle();
    expect(sessions.getSnapshot().data).toBe(data);
  });

  test("where the daemon has none the list is read at intervals", async () => {
    const { sessions, lists, streams } = scripted();
    const leave = sessions.subscribe(() => {});
    streams[0]!.fail(new SandboxAgentError(404));
    await settle();
    for (let count = 1; count <= 3; count += 1) {
      expect(lists).toHaveLength(count);
      lists.at(-1)!([session("a", 1)]);
      await vi.advanceTimersByTimeAsync(3_000);
    }
    expect(sessions.getSnapshot().error).toBeUndefined();
    expect(streams).toHaveLength(1);
    leave();
  });

  test("a refusal is told, and the stream asked for again", async () => {
    const { sessions, lists, streams } = scripted();
    listen(sessions);
    streams[0]!.fail(new SandboxAgentError(401));
    await settle();
    expect(sessions.getSnapshot()).toMatchObject({ isLoading: false, error: { status: 401 } });
    await vi.advanceTimersByTimeAsync(15_000);
    streams[1]!.send(reset);
    await settle();
    lists[0]!([session("a", 1)]);
    await settle();
    expect(sessions.getSnapshot()).toMatchObject({ data: [{ sessionId: "a" }], error: undefined });
  });

  test("wakes a session that was missing, and is closed when nobody looks at that one", async () => {
    const { stores, lists, streams, asked } = scripted();
    const leave = stores.session("later").subscribe(() => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(stores.session("later").getState().connection).toBe("missing");
    streams[0]!.send(reset);
    await settle();
    lists[0]!([session("a", 1)]);
    await settle();
    expect(asked).toEqual(["later"]);
    streams[0]!.send({ type: "session.created", session: session("later", 2) });
    // Less than the first pause of the session's own retries.
    await settle();
    expect(asked).toEqual(["later", "later"]);
    leave();
    await settle();
    expect(streams[0]!.signal.aborted).toBe(true);
  });

  test("is closed in a hidden page and without listeners, and opened again", async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", page);
    const show = (visibilityState: string) => {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event("visibilitychange"));
    };
    const { sessions, lists, streams } = scripted();
    const leave = sessions.subscribe(() => {});
    streams[0]!.send(reset);
    await settle();
    lists[0]!([session("a", 1)]);
    await settle();
    sessions.hint();
    await settle();
    expect(lists).toHaveLength(1);
    show("hidden");
    expect(streams[0]!.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([lists.length, streams.length]).toEqual([1, 1]);
    sessions.hint();
    await settle();
    lists[1]!([session("a", 1)]);
    show("visible");
    expect(streams).toHaveLength(2);
    leave();
    await settle();
    expect(streams[1]!.signal.aborted).toBe(true);
  });
});

describe("a change of the list", () => {
  const list = [session("c", 3), session("b", 2, { policy: { rules: [] } }), session("a", 1)];

  test("puts a new session where the daemon would, and another one of the same name too", () => {
    const place = (info: SessionInfo) => idsOf(applySessionChange(list, { type: "session.created", session: info }));
    expect(place(session("d", 4))).toEqual(["d", "c", "b", "a"]);
    expect(place(session("bb", 2))).toEqual(["c", "bb", "b", "a"]);
    expect(place(session("z", 0))).toEqual(["c", "b", "a", "z"]);
    expect(place(session("a", 5))).toEqual(["a", "c", "b"]);
  });

  test("keeps the settings that the stream leaves out", () => {
    const [, b] = applySessionChange(list, {
      type: "session.waiting",
      session: session("b", 2, { status: "waiting" }),
    });
    expect(b).toMatchObject({ status: "waiting", policy: { rules: [] } });
  });

  test("of a session that is not in it any more changes nothing", () => {
    expect(applySessionChange(list, { type: "session.deleted", sessionId: "x" })).toBe(list);
    expect(idsOf(applySessionChange(list, { type: "session.deleted", sessionId: "b" }))).toEqual(["c", "a"]);
  });
});
