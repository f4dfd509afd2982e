/** Feared: a disk that was full for a moment, after which a session does nothing until somebody touches it. */
import { checkStream } from "@sandbox-agent-ts/protocol";
import { expect, test, vi } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { LeaseLost, type RuntimeStore } from "../store/runtime-store.ts";

const long = 180_000;
const soon = { timeout: 60_000, interval: 20 };

interface FailingStore {
  readonly store: RuntimeStore;
  /** These methods reject until `mend`; answers how often they did. */
  fail(methods: readonly (keyof RuntimeStore)[], error?: Error): { readonly count: number };
  mend(): void;
}

function failingStore(): FailingStore {
  const real = new MemoryRuntimeStore();
  let failing: { methods: readonly string[]; error: Error; count: number } | undefined;
  const store = new Proxy<RuntimeStore>(real, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (!failing?.methods.includes(String(name))) return value.apply(target, args);
        failing.count += 1;
        return Promise.reject(failing.error);
      };
    },
  });
  return {
    store,
    fail: (methods, error = new Error("SQLITE_FULL: database or disk is full")) => {
      failing = { methods, error, count: 0 };
      return failing;
    },
    mend: () => {
      failing = undefined;
    },
  };
}

const allThatSessionsUse = [
  "append",
  "claimLease",
  "releaseLease",
  "renewLeases",
  "session",
  "openTurns",
  "turn",
  "markTurnSent",
  "sandbox",
  "sandboxOf",
  "updateSandbox",
] as const;

test.each([
  { what: "writes", methods: ["append"] as const },
  { what: "writes and leases", methods: ["append", "claimLease", "releaseLease", "renewLeases"] as const },
  { what: "everything", methods: allThatSessionsUse },
])(
  "a store that fails for a while ($what): the running turn and those that wait go on, and nobody asks for it",
  async ({ methods }) => {
    const { store, fail, mend } = failingStore();
    const { client, runtime } = await startTestRuntime({ store });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "slow 60 20" });
    await client.postMessage("s", { message: "echo second" });
    const before = runtime.sessions.getSession("s")!;
    await vi.waitFor(() => expect(before.info().eventCount).toBeGreaterThan(6), soon);
    const failing = fail(methods);
    await vi.waitFor(() => expect(failing.count).toBeGreaterThan(0), soon);
    await vi.waitFor(() => expect(runtime.sessions.getSession("s")).not.toBe(before), soon);
    mend();
    await vi.waitFor(async () => expect(await store.openTurns("s")).toEqual([]), soon);
    const events = await turnsOf(client, "s", 2);
    expect(checkStream(events)).toEqual([]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    const ends = events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata.reason] : []));
    expect(ends).toEqual(["completed", "completed"]);
    expect(runtime.sessions.getSession("s")?.getRuntimeState().sandbox).toMatchObject({
      status: "ready",
      generation: 1,
    });
  },
  long,
);

test(
  "turns that the store does not tell are asked for with pauses, and run when it does",
  async () => {
    const { store, fail, mend } = failingStore();
    const { client } = await startTestRuntime({ store });
    await client.createSession("s", { agent: "mock" });
    const failing = fail(["openTurns"]);
    await client.postMessage("s", { message: "echo one" });
    await vi.waitFor(() => expect(failing.count).toBeGreaterThan(1), soon);
    expect(failing.count).toBeLessThan(20);
    mend();
    const events = await turnsOf(client, "s", 1);
    expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  },
  long,
);

test(
  "a session that could not be loaded when the runtime began is loaded later",
  async () => {
    const { store, fail, mend } = failingStore();
    const first = await startTestRuntime({ store });
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "permission" });
    await vi.waitFor(() => expect(first.runtime.sessions.getSession("s")?.info().status).toBe("waiting"), soon);
    await first.gateway.close();
    await first.runtime.sessions.close();
    const failing = fail(["claimLease"]);
    const { runtime } = await first.again();
    expect(failing.count).toBeGreaterThan(0);
    expect(runtime.sessions.isSessionLoaded("s")).toBe(false);
    mend();
    await vi.waitFor(() => expect(runtime.sessions.isSessionLoaded("s")).toBe(true), soon);
  },
  long,
);

test(
  "a session whose lease is another's now is not taken back",
  async () => {
    const { store, fail } = failingStore();
    const { client, runtime } = await startTestRuntime({ store });
    await client.createSession("s", { agent: "mock" });
    const claim = vi.spyOn(runtime.sessions, "loadSession");
    fail(["append"], new LeaseLost("s"));
    await client.updateSession("s", { model: "mock" }).catch(() => {});
    await vi.waitFor(() => expect(runtime.sessions.isSessionLoaded("s")).toBe(false), soon);
    await runtime.sessions.close();
    expect(claim.mock.calls.length).toBe(1);
  },
  long,
);
