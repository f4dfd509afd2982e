/** Feared: a session that is not what one daemon would have made of it: lost, doubled, out of order, or somebody else's. */
import { checkStream, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { killDaemon, startTestRuntime, turnsOf } from "./__fixtures__/test-runtime.ts";
import { MemoryRuntimeStore } from "./store/memory/memory-runtime-store.ts";

const long = 180_000;

const textOf = (events: readonly UniversalEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "item.completed" && event.data.item.role === "assistant"
      ? event.data.item.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );

test(
  "a session is made without a sandbox; its first message makes one, and its log is that of a daemon",
  async () => {
    const { client, runtime, sandboxes } = await startTestRuntime();
    const steps: string[] = [];
    runtime.events.on("session:status", ({ runtime: { sandbox } }) => {
      if (sandbox) steps.push(`${sandbox.status} ${sandbox.statusMessage ?? ""}`.trim());
    });
    expect(await client.createSession("s", { agent: "mock", metadata: { team: "a" } })).toEqual({ healthy: true });
    expect(await client.getSession("s")).toMatchObject({
      status: "idle",
      eventCount: 1,
      metadata: { team: "a" },
      runtime: { isLoaded: true, sandbox: null },
    });
    expect(await sandboxes()).toEqual([]);

    const { turnId } = await client.postMessage("s", { message: "echo hello" });
    const events = await turnsOf(client, "s", 1);
    expect(checkStream(events)).toEqual([]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === "session.started")).toHaveLength(1);
    expect(events.find(({ type }) => type === "turn.started")).toMatchObject({ data: { turn_id: turnId } });
    expect(textOf(events)).toEqual(["hello"]);
    expect(await sandboxes()).toHaveLength(1);
    expect(steps).toEqual([
      "starting Preparing the agent …",
      "starting Creating the sandbox …",
      "starting Starting the daemon …",
      "starting Starting the agent …",
      "ready",
    ]);
    expect(await client.getSession("s")).toMatchObject({
      status: "idle",
      title: "echo hello",
      runtime: { isLoaded: true, sandbox: { status: "ready", generation: 1, restartCount: 0, provider: "local" } },
    });
  },
  long,
);

test(
  "of fifty messages at once to a new session each is run once, in order, in one sandbox",
  async () => {
    const { client, sandboxes } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.postMessage("s", { message: `echo ${n}` })),
    );
    const events = await turnsOf(client, "s", 50);
    expect(checkStream(events)).toEqual([]);
    const started = events.flatMap((event) => (event.type === "turn.started" ? [event.data.turn_id] : []));
    expect(new Set(started)).toEqual(new Set(sent.map(({ turnId }) => turnId)));
    expect(started).toHaveLength(50);
    expect(await sandboxes()).toHaveLength(1);
  },
  long,
);

test(
  "messages that wait can be seen and withdrawn, and retries run nothing twice",
  async () => {
    const { client } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" }, { idempotencyKey: "made once" });
    await client.createSession("s", { agent: "mock" }, { idempotencyKey: "made once" });
    await expect(client.createSession("s", { agent: "mock" })).rejects.toMatchObject({
      code: "session_already_exists",
    });
    const { turnId } = await client.postMessage("s", { message: "permission" });
    await client.postMessage("s", { message: "echo second", turnId: "second" });
    await client.postMessage("s", { message: "echo third", turnId: "third" });
    await client.postMessage("s", { message: "echo third", turnId: "third" });
    let asked = "";
    for await (const event of client.streamEvents("s")) {
      if (event.type !== "permission.requested") continue;
      asked = event.data.permission_id;
      break;
    }
    expect(await client.listTurns("s")).toMatchObject({
      runningTurnId: turnId,
      waiting: [{ turnId: "second", message: "echo second" }, { turnId: "third" }],
    });
    expect(await client.getSession("s")).toMatchObject({ queuedTurns: 2 });
    await client.withdrawTurn("s", "second");
    await expect(client.withdrawTurn("s", turnId)).rejects.toMatchObject({ code: "turn_already_started" });
    await expect(client.withdrawTurn("s", "none")).rejects.toMatchObject({ code: "turn_not_found" });
    await client.replyPermission("s", asked, { reply: "reject" });
    const events = await turnsOf(client, "s", 2);
    const started = events.flatMap((event) => (event.type === "turn.started" ? [event.data.turn_id] : []));
    expect(started).toEqual([turnId, "third"]);
    expect(await client.listTurns("s")).toEqual({ runningTurnId: null, waiting: [] });
  },
  long,
);

test(
  "a permission is answered through the runtime, and the first answer wins",
  async () => {
    const { client } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    let asked: string | undefined;
    for await (const event of client.streamEvents("s")) {
      if (event.type === "permission.requested") {
        asked = event.data.permission_id;
        break;
      }
    }
    expect(await client.getSession("s")).toMatchObject({ status: "waiting", pendingPermissions: [asked] });
    await client.replyPermission("s", asked!, { reply: "once" });
    await expect(client.replyPermission("s", asked!, { reply: "reject" })).rejects.toMatchObject({
      code: "request_already_resolved",
    });
    await expect(client.replyPermission("s", "nothing", { reply: "once" })).rejects.toMatchObject({
      code: "request_not_found",
    });
    const events = await turnsOf(client, "s", 1);
    expect(events.filter(({ type }) => type === "permission.resolved")).toMatchObject([{ data: { reply: "once" } }]);
    expect(checkStream(events)).toEqual([]);
  },
  long,
);

test(
  "another runtime finds the sandbox again, and the turn in it goes on to its end",
  async () => {
    const first = await startTestRuntime();
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "permission" });
    let asked: string | undefined;
    for await (const event of first.client.streamEvents("s")) {
      if (event.type !== "permission.requested") continue;
      asked = event.data.permission_id;
      break;
    }
    await first.gateway.close();
    await first.runtime.sessions.close();

    const { client, sandboxes } = await first.again();
    expect(await client.getSession("s")).toMatchObject({ status: "waiting", pendingPermissions: [asked] });
    await client.replyPermission("s", asked!, { reply: "once" });
    const events = await turnsOf(client, "s", 1);
    expect(checkStream(events)).toEqual([]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(await sandboxes()).toHaveLength(1);
  },
  long,
);

test(
  "a daemon that is killed in the middle of a turn is started again; the turn ends with an error and the session goes on",
  async () => {
    const { client, provider, store, runtime } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    for await (const event of client.streamEvents("s")) if (event.type === "permission.requested") break;
    const row = (await store.sandboxOf("s"))!;
    await killDaemon(row.providerId);
    const events = await turnsOf(client, "s", 1);
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "error" } } });
    await client.postMessage("s", { message: "echo again" });
    const all = await turnsOf(client, "s", 2);
    expect(checkStream(all)).toEqual([]);
    expect(textOf(all)).toContain("again");
    expect(await client.getSession("s")).toMatchObject({ runtime: { sandbox: { status: "ready", restartCount: 1 } } });
    expect(await provider.attach(row.providerId)).toBeDefined();
    expect(runtime.sessions.isSessionLoaded("s")).toBe(true);
  },
  long,
);

test(
  "an answer that comes too late, because the daemon that asked was killed, is not acknowledged",
  async () => {
    const { client, store } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    let asked = "";
    for await (const event of client.streamEvents("s")) {
      if (event.type !== "permission.requested") continue;
      asked = event.data.permission_id;
      break;
    }
    killDaemon((await store.sandboxOf("s"))!.providerId);
    await expect(client.replyPermission("s", asked, { reply: "always" })).rejects.toMatchObject({
      code: "request_already_resolved",
    });
    const events = await turnsOf(client, "s", 1);
    expect(events.filter(({ type }) => type === "permission.resolved")).toMatchObject([{ data: { reply: "reject" } }]);
  },
  long,
);

test(
  "a turn whose sandbox is lost when the runtime is started again is not run in the next sandbox",
  async () => {
    const first = await startTestRuntime({ limits: { maxRestarts: 0 } });
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "permission" });
    for await (const event of first.client.streamEvents("s")) if (event.type === "permission.requested") break;
    await first.gateway.close();
    await first.runtime.sessions.close();
    await first.runtime.catalog.close();
    killDaemon((await first.store.sandboxOf("s"))!.providerId);
    const { client } = await first.again();
    await client.postMessage("s", { message: "echo next" });
    const events = await turnsOf(client, "s", 2);
    expect(checkStream(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(2);
    expect(textOf(events)).toContain("next");
  },
  long,
);

test.each([{ size: 0 }, { size: 1 }])(
  "a sandbox in which the session was not made yet, when the runtime was killed, is not used (pool %o)",
  async (pool) => {
    const states: (string | undefined)[] = [];
    const store = new MemoryRuntimeStore();
    const network: typeof fetch = async (input, init) => {
      const isCreation = init?.method === "POST" && String(input).endsWith("/v1/sessions/s");
      if (isCreation) states.push((await store.sandboxOf("s"))?.state);
      return fetch(input, init);
    };
    const first = await startTestRuntime({ store, network, pool });
    await first.runtime.warm.settled();
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "echo one" });
    await turnsOf(first.client, "s", 1);
    const row = (await store.sandboxOf("s"))!;
    expect([...states, row.state]).toEqual(["creating", "ready"]);
    await first.gateway.close();
    await first.runtime.warm.close();
    await first.runtime.sessions.close();
    await first.runtime.catalog.close();

    await store.updateSandbox(row.sandboxId, { state: "creating" });
    const { client, provider } = await first.again();
    expect(await provider.attach(row.providerId)).toBeUndefined();
    await client.postMessage("s", { message: "echo two" });
    expect((await turnsOf(client, "s", 2)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(await client.getSession("s")).toMatchObject({ runtime: { sandbox: { generation: 2 } } });
  },
  long,
);

test(
  "a message that arrived in the sandbox, and whose answer was lost, is not run twice",
  async () => {
    /** More than the client makes up for by itself. */
    let losses = 5;
    const network: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== "POST" || !String(input).endsWith("/messages") || losses === 0) return response;
      losses -= 1;
      throw new TypeError("fetch failed");
    };
    const { client } = await startTestRuntime({ network });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "slow 60 50" });
    await client.postMessage("s", { message: "echo next" });
    const events = await turnsOf(client, "s", 2);
    expect(losses).toBe(0);
    expect(checkStream(events)).toEqual([]);
    const ends = events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata.reason] : []));
    expect(ends).toEqual(["completed", "completed"]);
  },
  long,
);

test(
  "a sandbox that is gone ends the turn with the reason; the next message gets a new generation",
  async () => {
    const { client, provider, store } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    for await (const event of client.streamEvents("s")) if (event.type === "permission.requested") break;
    const row = (await store.sandboxOf("s"))!;
    await (await provider.attach(row.providerId))!.destroy();
    const events = await turnsOf(client, "s", 1);
    expect(events.at(-1)).toMatchObject({
      type: "turn.ended",
      data: { metadata: { reason: "error", message: expect.stringContaining("The sandbox was lost") } },
    });
    expect(await client.getSession("s")).toMatchObject({ runtime: { sandbox: { status: "terminated" } } });
    await client.postMessage("s", { message: "echo again" });
    const all = await turnsOf(client, "s", 2);
    expect(checkStream(all)).toEqual([]);
    expect(textOf(all)).toContain("again");
    expect(await client.getSession("s")).toMatchObject({ runtime: { sandbox: { status: "ready", generation: 2 } } });
  },
  long,
);

test(
  "who has no key gets nothing, who has one gets his own, and who may only read changes nothing",
  async () => {
    const { gateway, clientOf } = await startTestRuntime();
    const [ann, bob, reader] = [await clientOf("ann"), await clientOf("bob"), await clientOf("ann", "read")];
    await ann.createSession("of-ann", { agent: "mock" });
    const missing = { code: "session_not_found" };
    await expect(bob.getSession("of-ann")).rejects.toMatchObject(missing);
    await expect(bob.postMessage("of-ann", { message: "hi" })).rejects.toMatchObject(missing);
    await expect(bob.getEvents("of-ann")).rejects.toMatchObject(missing);
    await expect(bob.deleteSession("of-ann")).rejects.toMatchObject(missing);
    expect((await bob.listSessions()).sessions).toEqual([]);
    expect((await reader.listSessions()).sessions).toMatchObject([{ sessionId: "of-ann" }]);
    const denied = { code: "permission_denied" };
    await expect(reader.postMessage("of-ann", { message: "hi" })).rejects.toMatchObject(denied);
    await expect(reader.installAgent("mock")).rejects.toMatchObject(denied);
    await expect(reader.mkdirFs({ path: "x", sessionId: "of-ann" })).rejects.toMatchObject(denied);
    await expect(bob.listFsEntries({ path: ".", sessionId: "of-ann" })).rejects.toMatchObject(missing);
    for (const path of [
      "/v1/sessions",
      "/v1/agents",
      "/v1/events/sse",
      "/v1/sessions/of-ann/events",
      "/openapi.json",
    ]) {
      expect([path, (await fetch(`${gateway.url}${path}`)).status]).toEqual([path, 401]);
    }
    expect((await fetch(`${gateway.url}/v1/health`)).status).toBe(200);
    await expect(ann.createSession("x", { agent: "nobody" })).rejects.toMatchObject({ code: "unsupported_agent" });
  },
  long,
);

test(
  "a session that is unloaded leaves its sandbox and is there again with the next message; a deleted one is gone",
  async () => {
    const { client, runtime, sandboxes } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    await turnsOf(client, "s", 1);
    await runtime.sessions.unloadSession("s");
    expect(await sandboxes()).toEqual([]);
    expect(await client.getSession("s")).toMatchObject({ runtime: { isLoaded: false, sandbox: null } });
    expect(textOf(await turnsOf(client, "s", 1))).toEqual(["one"]);
    expect(runtime.sessions.isSessionLoaded("s")).toBe(false);
    await client.postMessage("s", { message: "echo two" });
    const all = await turnsOf(client, "s", 2);
    expect(checkStream(all)).toEqual([]);
    await client.deleteSession("s");
    expect(await sandboxes()).toEqual([]);
    await expect(client.getSession("s")).rejects.toMatchObject({ code: "session_not_found" });
  },
  long,
);

test(
  "of fifty who load a session at once all get the same",
  async () => {
    const { client, runtime } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await runtime.sessions.unloadSession("s");
    const loaded = await Promise.all(Array.from({ length: 50 }, () => runtime.sessions.loadSession("s")));
    expect(new Set(loaded).size).toBe(1);
  },
  long,
);

test(
  "a sandbox in which nothing happens is suspended and resumed by the next message; later the session is unloaded",
  async () => {
    const { client, runtime, sandboxes } = await startTestRuntime({
      limits: { idleTimeoutMs: 100, unloadAfterMs: 8_000 },
    });
    const statuses: string[] = [];
    const until = (status: string) =>
      new Promise<void>((resolve) => {
        runtime.events.on("session:status", ({ runtime: { isLoaded, sandbox } }) => {
          const told = isLoaded ? `${sandbox?.status} ${sandbox?.statusMessage ?? ""}`.trim() : "unloaded";
          statuses.push(told);
          if (told === status) resolve();
        });
      });
    await client.createSession("s", { agent: "mock" });
    const suspended = until("ready Suspended.");
    await client.postMessage("s", { message: "echo one" });
    await suspended;
    const unloaded = until("unloaded");
    await client.postMessage("s", { message: "echo two" });
    expect(textOf(await turnsOf(client, "s", 2))).toEqual(["one", "two"]);
    expect(await sandboxes()).toHaveLength(1);
    await unloaded;
    expect(await sandboxes()).toEqual([]);
    expect(await client.getSession("s")).toMatchObject({ runtime: { isLoaded: false, sandbox: null } });
  },
  long,
);

test(
  "a session of an earlier runtime is deleted with its sandbox",
  async () => {
    const first = await startTestRuntime();
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "echo one" });
    await turnsOf(first.client, "s", 1);
    await first.gateway.close();
    await first.runtime.sessions.close();
    const { client, sandboxes } = await first.again();
    expect(await sandboxes()).toHaveLength(1);
    await client.deleteSession("s");
    expect(await sandboxes()).toEqual([]);
  },
  long,
);

test(
  "who only looks at files of a session gets no sandbox, who writes some does",
  async () => {
    const { client, sandboxes } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    const missing = { code: "not_found", message: expect.stringContaining("has no sandbox now") };
    await expect(client.listFsEntries({ sessionId: "s" })).rejects.toMatchObject(missing);
    await expect(client.getDiff("s")).rejects.toMatchObject(missing);
    expect(await sandboxes()).toEqual([]);
    await client.writeFsFile({ sessionId: "s", path: "a.txt" }, "hello");
    expect(await sandboxes()).toHaveLength(1);
    expect((await client.listFsEntries({ sessionId: "s" })).map(({ name }) => name)).toContain("a.txt");
  },
  long,
);
