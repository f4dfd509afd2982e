/** Feared: a provider that is away when the runtime starts, and with it a turn that was at work and a sandbox that was well. */
import { expect, test, vi } from "vitest";
import {
  daemonWith,
  envelope,
  eventsUntilTurnEnds,
  frame,
  scriptedSandboxes,
  sessionsOn,
  sse,
} from "../mirror/__fixtures__/scripted-sandboxes.ts";
import type { Sandbox, SandboxProvider } from "../sandboxes/sandbox-provider.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import type { RuntimeLimits } from "./runtime-deps.ts";

const refuse = () => Promise.reject(new Error("The engine is away."));
const never = () => new Promise<never>(() => {});
const handle: Partial<Sandbox> = { status: refuse, endpoint: refuse };
const ways: Record<string, (real: SandboxProvider) => SandboxProvider["attach"]> = {
  "refuses to find it": () => refuse,
  "never answers": () => never,
  "finds it and says nothing of it": (real) => async (id) => ({ ...(await real.attach(id))!, ...handle }),
};
const limits = { providerTimeoutMs: 20, providerOutageMs: 60_000 };
const reason = expect.stringMatching(/The engine is away|did not answer within 20 ms/);

/** A turn that runs in a sandbox, and a second runtime on its store whose provider is away until `comeBack` is called. */
async function restartWhileAway(how: string, changed: Partial<RuntimeLimits> = {}) {
  const store = new MemoryRuntimeStore();
  const begun = [
    envelope(1, "session.started", {}),
    envelope(2, "turn.started", { phase: "started", turn_id: "t" }),
  ].map(frame);
  const over = frame(envelope(3, "turn.ended", { phase: "ended", turn_id: "t", metadata: { reason: "completed" } }));
  let hasEnded = false;
  const daemon = daemonWith((_path, { headers }) => {
    const after = Number(new Headers(headers).get("last-event-id") ?? 0);
    return sse([...begun.slice(after), ...(hasEnded ? [over] : [])].join(""));
  });
  const real = scriptedSandboxes(() => daemon);
  const first = sessionsOn(real, { store });
  const session = await first.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sendMessage({ message: "hello", turnId: "t" });
  await vi.waitFor(() => expect(session.info()).toMatchObject({ status: "running", eventCount: 2 }));
  await first.close();

  hasEnded = true;
  let isAway = true;
  const away = ways[how]!(real);
  const attach: SandboxProvider["attach"] = (id) => (isAway ? away(id) : real.attach(id));
  const sessions = sessionsOn({ ...real, attach }, { store, limits: { ...limits, ...changed } });
  await sessions.recover();
  const state = () => sessions.getSession("s")?.getRuntimeState().sandbox;
  const comeBack = () => {
    isAway = false;
  };
  return { store, real, sessions, state, comeBack };
}

test.each(Object.keys(ways))("a turn goes on in its sandbox when the provider, which %s, is back", async (how) => {
  const { real, sessions, state, comeBack } = await restartWhileAway(how);
  await vi.waitFor(() => expect(state()).toMatchObject({ status: "unhealthy", statusMessage: reason, generation: 1 }));
  expect(sessions.getSession("s")?.info()).toMatchObject({ status: "running" });
  comeBack();
  const events = await eventsUntilTurnEnds(sessions, "s");
  expect(events.map(({ type }) => type)).toEqual(["session.started", "turn.started", "turn.ended"]);
  expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  await vi.waitFor(() => expect(state()).toMatchObject({ status: "ready", generation: 1 }));
  expect(real.ended).toEqual([]);
});

test("one of which nothing is known for too long is given up, and the turn says so", async () => {
  const { store, sessions, state } = await restartWhileAway("refuses to find it", { providerOutageMs: 100 });
  const message = expect.stringContaining("said nothing of it for 1 s: The engine is away") as string;
  expect((await eventsUntilTurnEnds(sessions, "s")).at(-1)).toMatchObject({
    data: { metadata: { reason: "error", message } },
  });
  await vi.waitFor(() => expect(state()?.status).toBe("terminated"));
  expect(await store.sandboxOf("s")).toMatchObject({ state: "ended" });
});

test("a session can be unloaded and deleted while nothing is known of its sandbox, which the reaper is told to end", async () => {
  const { store, sessions } = await restartWhileAway("never answers");
  await sessions.unloadSession("s");
  expect(await store.sandboxOf("s")).toMatchObject({ state: "ended" });
  await sessions.deleteSession("s");
  expect(await store.session("s")).toBeUndefined();
});

test("what waits for it is no longer waited for when the runtime is closed, and it is as it was", async () => {
  const { store, sessions } = await restartWhileAway("refuses to find it");
  const looking = (await sessions.loadSession("s")).existingSandbox();
  looking.catch(() => {});
  await sessions.close();
  await expect(looking).rejects.toThrow();
  expect(await store.sandboxOf("s")).toMatchObject({ state: "ready" });
});
