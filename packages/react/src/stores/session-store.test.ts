import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startTestDaemon, type TestDaemon } from "../__fixtures__/test-daemon.ts";
import { collect, listen, when } from "../__fixtures__/when.ts";
import { ClientStores } from "./client-stores.ts";
import type { SessionStore } from "./session-store.ts";

const textOf = (store: SessionStore): string => JSON.stringify(store.getTranscript().items);
const turnsEnded = (count: number) => (store: SessionStore) =>
  store.getTranscript().turns.filter(({ status }) => status !== "running").length >= count;
const whenThat = (store: SessionStore, isIt: (store: SessionStore) => boolean) =>
  when(
    store,
    () => store,
    () => isIt(store),
  );
const whenLive = (store: SessionStore) => when(store, store.getState, ({ connection }) => connection === "live");
const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

async function openSession(): Promise<TestDaemon & { stores: ClientStores; store: SessionStore }> {
  const daemon = await startTestDaemon();
  await daemon.client.createSession("s", { agent: "mock" });
  const stores = new ClientStores(daemon.client);
  return { ...daemon, stores, store: stores.session("s") };
}

describe("a session's store", () => {
  test("shows a turn from the message to its end", async () => {
    const { store } = await openSession();
    listen(store);
    await whenLive(store);
    await store.send("echo hello there");
    await whenThat(store, turnsEnded(1));
    expect(textOf(store)).toContain("hello there");
    expect(store.getState()).toMatchObject({ status: "idle", connection: "live", error: undefined });
    const title = await when(store, store.getState, ({ session }) => session?.title === "echo hello there");
    expect(title.session).toMatchObject({ sessionId: "s", agent: "mock", ended: false });
  });

  test("two readers share one stream and get the very same transcript", async () => {
    const { stores, store, streams } = await openSession();
    const other = stores.session("s");
    expect(other).toBe(store);
    const seen = [collect(store, store.getTranscript), collect(other, other.getTranscript)];
    await store.send("markdown");
    await whenThat(store, turnsEnded(1));
    expect(streams).toHaveLength(1);
    expect(seen[0]!.length).toBeGreaterThan(1);
    expect(seen[0]!.every((transcript, index) => transcript === seen[1]![index])).toBe(true);
  });

  test("its stream closes with the last reader, and a later one reads on where it was", async () => {
    const { store, streams, openStreams } = await openSession();
    const leave = [listen(store), listen(store)];
    await store.send("echo one");
    await whenThat(store, turnsEnded(1));
    leave[0]!();
    await nextTask();
    expect(openStreams()).toBe(1);
    leave[1]!();
    await nextTask();
    expect(openStreams()).toBe(0);

    const before = store.getTranscript();
    await store.send("echo two");
    listen(store);
    expect(store.getTranscript()).toBe(before);
    await whenThat(store, turnsEnded(2));
    expect(streams[1]).toBe(`/v1/sessions/s/events/sse?offset=${before.lastSequence}`);
    const sequences = store.getEvents().map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test("a reader who leaves while another comes keeps the stream open", async () => {
    const { store, streams, openStreams } = await openSession();
    const leave = listen(store);
    await whenLive(store);
    leave();
    listen(store);
    await nextTask();
    expect(openStreams()).toBe(1);
    expect(streams).toHaveLength(1);
  });

  test("says that the daemon is away, and goes on when it is back", async () => {
    const { store, stop, start } = await openSession();
    listen(store);
    await store.send("echo before");
    await whenThat(store, turnsEnded(1));
    await stop();
    const away = await when(store, store.getState, ({ connection }) => connection === "reconnecting");
    expect(away.error).toBeInstanceOf(Error);
    expect(away.session?.sessionId).toBe("s");
    await start();
    await whenLive(store);
    expect(store.getState().error).toBeUndefined();
    await store.send("echo after");
    await whenThat(store, turnsEnded(2));
    expect(textOf(store)).toMatch(/before.*after/);
    const sequences = store.getEvents().map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test("has its new title at once, and so has the list of sessions", async () => {
    const { store, stores } = await openSession();
    listen(store);
    listen(stores.sessions);
    await whenLive(store);
    await store.rename("Mend the login");
    expect(store.getState().session?.title).toBe("Mend the login");
    await when(stores.sessions, stores.sessions.getSnapshot, ({ data }) => data?.[0]?.title === "Mend the login");
  });

  test("a title that somebody else gave arrives with the list of sessions", async () => {
    const { client, store, stores } = await openSession();
    listen(store);
    await whenLive(store);
    await client.renameSession("s", { title: "Theirs" });
    await stores.sessions.refresh();
    expect(store.getState().session?.title).toBe("Theirs");
  });

  test("has the policy that somebody else gave it, which the list of sessions does not tell", async () => {
    const { client, store, stores } = await openSession();
    listen(store);
    listen(stores.sessions);
    await whenLive(store);
    const policy = { rules: [{ kind: "execute" as const, action: "deny" as const }] };
    await client.updateSession("s", { policy });
    await when(store, store.getState, ({ session }) => session?.policy?.rules.length === 1);
    await store.send("echo hello");
    await when(stores.sessions, stores.sessions.getSnapshot, ({ data }) => data?.[0]?.title === "echo hello");
    expect(store.getState().session?.policy).toMatchObject(policy);
  });

  test("a session that is not there is missing, and shown when it is made, by whomever", async () => {
    const { client, stores } = await openSession();
    const store = stores.session("later");
    listen(store);
    const missing = await when(store, store.getState, ({ connection }) => connection === "missing");
    expect(missing.error).toMatchObject({ code: "session_not_found" });
    await client.createSession("later", { agent: "mock" });
    await whenLive(store);
    expect(store.getEvents()[0]?.type).toBe("session.started");
  });

  test.each(["while somebody looks", "while nobody does"])(
    "a session that is deleted and made anew %s is not mixed with the old one",
    async (looking) => {
      const { client, store } = await openSession();
      const leave = listen(store);
      await store.send("echo old");
      await whenThat(store, turnsEnded(1));
      if (looking === "while nobody does") leave();
      await nextTask();
      await client.deleteSession("s");
      await client.createSession("s", { agent: "mock" });
      if (looking === "while nobody does") listen(store);
      else store.accept(await client.getSession("s"));
      await whenThat(store, () => store.getTranscript().lastSequence === 1);
      expect(textOf(store)).not.toContain("old");
      expect(store.getEvents()).toHaveLength(1);
      await store.send("echo new");
      await whenThat(store, turnsEnded(1));
      expect(textOf(store)).toContain("new");
    },
  );

  test("is asked for no more while and after it is deleted, and shown when another is made", async () => {
    const { store, client, streams, openStreams } = await openSession();
    listen(store);
    await whenLive(store);
    const whileDeleting: number[] = [];
    const reallyDelete = client.deleteSession.bind(client);
    vi.spyOn(client, "deleteSession").mockImplementationOnce(async (sessionId) => {
      await expect.poll(openStreams).toBe(0);
      await reallyDelete(sessionId);
      whileDeleting.push(streams.length);
    });
    await store.remove();
    expect(whileDeleting).toEqual([1]);
    expect(store.getState()).toMatchObject({
      connection: "missing",
      error: { message: expect.stringMatching(/deleted/) },
    });
    await client.createSession("s", { agent: "mock" });
    await whenLive(store);
    expect(streams).toHaveLength(2);
  });

  test("is read on when it could not be deleted", async () => {
    const { store, client } = await openSession();
    listen(store);
    await whenLive(store);
    vi.spyOn(client, "deleteSession").mockRejectedValueOnce(new Error("not now"));
    await expect(store.remove()).rejects.toThrow("not now");
    await store.send("echo still here");
    await whenThat(store, turnsEnded(1));
    expect(textOf(store)).toContain("still here");
  });

  test("is `connecting` until all that happened before is there", async () => {
    const { client, stores, store: first } = await openSession();
    listen(first);
    await first.send("burst 2000 10");
    await whenThat(first, turnsEnded(1));
    const fresh = new ClientStores(client).session("s");
    const states = collect(fresh, () => [fresh.getState().connection, fresh.getTranscript().lastSequence].join());
    await whenLive(fresh);
    const live = states.filter((state) => state.startsWith("live"));
    expect(live).toEqual([`live,${stores.session("s").getTranscript().lastSequence}`]);
  });

  test("its state is not new with every piece of text", async () => {
    const { store } = await openSession();
    listen(store);
    await whenLive(store);
    const states = collect(store, store.getState);
    const transcripts = collect(store, store.getTranscript);
    await store.send("burst 3000 10");
    await whenThat(store, turnsEnded(1));
    expect(transcripts.length).toBeLessThan(store.getTranscript().lastSequence / 10);
    expect(new Set(states.map(({ session: _, ...rest }) => JSON.stringify(rest))).size).toBeLessThanOrEqual(3);
    expect(states.length).toBeLessThan(12);
  });
});

const hasEntries = (list: readonly unknown[]): boolean => list.length > 0;

/** The storage of a page, which outlives its stores. */
function stubStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return stored;
}

describe("the messages of a session", () => {
  test("wait visibly while a turn runs, until theirs starts", async () => {
    const { client, store } = await openSession();
    listen(store);
    await store.send("permission");
    const { permissions } = await when(store, store.getRequests, ({ permissions: list }) => list.length > 0);
    await store.send("echo later", [{ path: "/notes.txt" }]);
    expect(store.getOutbox().queued).toMatchObject([{ message: "echo later", attachments: [{ path: "/notes.txt" }] }]);
    await client.replyPermission("s", permissions[0]!.permission_id, { reply: "once" });
    await whenThat(store, turnsEnded(2));
    expect(store.getOutbox().queued).toEqual([]);
  });

  test("still wait visibly when the page is loaded again, until theirs starts", async () => {
    const stored = stubStorage();
    const { client, store } = await openSession();
    listen(store);
    await whenLive(store);
    await store.send("permission");
    const { permissions } = await when(store, store.getRequests, ({ permissions: list }) => list.length > 0);
    await store.send("echo later", [{ path: "/notes.txt" }]);

    const again = new ClientStores(client).session("s");
    const shown = collect(again, () => again.getOutbox().queued.length);
    const [waiting] = await when(again, () => again.getOutbox().queued, hasEntries);
    expect(waiting).toMatchObject({ message: "echo later", attachments: [{ path: "/notes.txt" }] });
    await client.replyPermission("s", permissions[0]!.permission_id, { reply: "once" });
    await whenThat(again, turnsEnded(2));
    expect(shown).toEqual([0, 1, 0]);
    expect(stored.size).toBe(0);

    const later = new ClientStores(client).session("s");
    const laterShown = collect(later, () => later.getOutbox().queued.length);
    await whenLive(later);
    expect(laterShown).toEqual([0]);
  });

  test("that waited in a session of the same name that is no more do not wait in the new one", async () => {
    const stored = stubStorage();
    const { client, store } = await openSession();
    const leave = listen(store);
    await whenLive(store);
    await store.send("permission");
    await when(store, store.getRequests, ({ permissions }) => permissions.length > 0);
    await store.send("echo later");
    leave();
    await nextTask();
    expect(stored.size).toBe(1);
    await client.deleteSession("s");
    await client.createSession("s", { agent: "mock" });
    const again = new ClientStores(client).session("s");
    listen(again);
    await whenLive(again);
    expect(again.getOutbox().queued).toEqual([]);
    expect(again.getState().status).toBe("idle");
  });

  test("a message that waits when the session ends is not shown as waiting", async () => {
    const { store } = await openSession();
    listen(store);
    await store.send("permission");
    await when(store, store.getRequests, ({ permissions }) => permissions.length > 0);
    await store.send("echo never");
    await store.terminate();
    await when(store, store.getState, ({ status }) => status === "ended");
    expect(store.getOutbox().queued).toEqual([]);
  });

  test("one is shown from the moment it is sent, and no more when its turn starts before the daemon has answered", async () => {
    const { client, store } = await openSession();
    listen(store);
    await whenLive(store);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const post = client.postMessage.bind(client);
    vi.spyOn(client, "postMessage").mockImplementation(async (...sent) => {
      const answer = await post(...sent);
      await held;
      return answer;
    });
    const sending = store.send("echo hello");
    const [shown] = store.getOutbox().queued;
    expect(shown).toMatchObject({ message: "echo hello" });
    expect(shown).not.toHaveProperty("turnId");
    await when(store, store.getOutbox, ({ queued }) => queued.length === 0);
    expect(store.getOutbox().isSending).toBe(true);
    letGo();
    await sending;
    expect(store.getOutbox()).toMatchObject({ queued: [], isSending: false });
    const [turn] = store.getTranscript().turns;
    expect(turn?.clientMessageId).toBe(shown?.messageId);
  });

  test("one that failed and is sent again is sent with the same key, another with its own", async () => {
    const keys: unknown[] = [];
    let answer: () => Promise<{ turnId: string }> = () => Promise.reject(new Error("The daemon is away."));
    const client = {
      postMessage: (_id: string, _message: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
        keys.push(idempotencyKey);
        return answer();
      },
    } as unknown as SandboxAgent;
    const store = new ClientStores(client).session("s");
    await expect(store.send("hello")).rejects.toThrow("The daemon is away.");
    expect(store.getOutbox()).toMatchObject({ queued: [], isSending: false, error: new Error("The daemon is away.") });
    await expect(store.send("other")).rejects.toThrow();
    await expect(store.send("hello")).rejects.toThrow();
    answer = () => Promise.resolve({ turnId: "t" });
    await store.send("hello");
    await store.send("hello");
    expect(keys[3]).toBe(keys[2]);
    expect(new Set(keys).size).toBe(4);
    expect(store.getOutbox()).toMatchObject({ isSending: false, error: undefined });
  });
});
