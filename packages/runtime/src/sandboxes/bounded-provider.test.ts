/** Feared: a provider that never answers again, and everybody who waits for it with it. */
import { expect, test, vi } from "vitest";
import {
  daemonWith,
  eventsUntilTurnEnds,
  json,
  scriptedSandboxes,
  sessionsOn,
  sse,
} from "../mirror/__fixtures__/scripted-sandboxes.ts";
import { boundedProvider } from "./bounded-provider.ts";
import type { Sandbox, SandboxProvider, SandboxSpec } from "./sandbox-provider.ts";

const never = () => new Promise<never>(() => {});
const spec: SandboxSpec = { labels: {}, bundle: "/b" };
const limits = { providerTimeoutMs: 20, createTimeoutMs: 20 };
const timeout = { name: "SandboxProviderError", code: "timeout", message: expect.stringContaining("within 20 ms") };

test("every question to a provider and to its sandboxes ends, with a reason", async () => {
  const real = scriptedSandboxes(() => () => json({}));
  const silentSandbox = async (): Promise<Sandbox> => ({
    ...(await real.create(spec)),
    status: never,
    endpoint: never,
    start: never,
    write: never,
    extend: never,
    suspend: never,
    resume: never,
    logs: never,
    destroy: never,
  });
  const sandbox = await boundedProvider({ ...real, create: silentSandbox }, limits).create(spec);
  const asked: Record<Exclude<keyof Sandbox, "id" | "paths">, () => Promise<unknown>> = {
    status: () => sandbox.status(),
    endpoint: () => sandbox.endpoint(),
    start: () => sandbox.start([], {}),
    write: () => sandbox.write([]),
    extend: () => sandbox.extend(1),
    suspend: () => sandbox.suspend!(),
    resume: () => sandbox.resume!(),
    logs: () => sandbox.logs(1),
    destroy: () => sandbox.destroy(),
  };
  for (const ask of Object.values(asked)) await expect(ask()).rejects.toMatchObject(timeout);
  const silent = boundedProvider(
    {
      ...real,
      check: never,
      create: never,
      attach: never,
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
      dispose: never,
    },
    limits,
  );
  const label = { key: "k", value: "v" };
  const questions: Record<
    Exclude<keyof SandboxProvider, "name" | "can" | "hasPrograms" | "watch">,
    () => Promise<unknown>
  > = {
    check: () => silent.check(),
    create: () => silent.create(spec),
    attach: () => silent.attach("x"),
    list: () => silent.list(label)[Symbol.asyncIterator]().next(),
    dispose: () => silent.dispose(),
  };
  for (const ask of Object.values(questions)) await expect(ask()).rejects.toMatchObject(timeout);
});

test("a sandbox that is made too late is ended", async () => {
  const real = scriptedSandboxes(() => () => json({}));
  let make: (() => void) | undefined;
  let signal: AbortSignal | undefined;
  const create: SandboxProvider["create"] = async (wanted, given) => {
    signal = given;
    await new Promise<void>((resolve) => {
      make = resolve;
    });
    return real.create(wanted);
  };
  await expect(boundedProvider({ ...real, create }, limits).create(spec)).rejects.toMatchObject(timeout);
  expect(signal?.aborted).toBe(true);
  make!();
  await vi.waitFor(() => expect(real.ended).toEqual(["box-1"]));
});

test.each([
  { how: "never answers", told: /said nothing of it for 1 s: The provider .* did not answer within 20 ms/ },
  { how: "refuses", told: /said nothing of it for 1 s: The engine is away/ },
  { how: "cannot resume it", told: /could not be resumed for 1 s: The engine is away/ },
])("a turn whose sandbox is silent and whose provider $how ends with the reason", async ({ how, told }) => {
  let isWell = true;
  let lose: (() => void) | undefined;
  const lost = new Promise<string>((_, reject) => {
    lose = () => reject(new Error("cut"));
  });
  const daemon = daemonWith(() => (isWell ? sse("", () => lost) : json({}, 502)));
  const real = scriptedSandboxes(() => (path, init) => (isWell ? daemon(path, init) : json({}, 502)));
  const refuse = () => Promise.reject(new Error("The engine is away."));
  const answers: Record<string, Sandbox["status"]> = {
    "never answers": never,
    refuses: refuse,
    "cannot resume it": async () => ({ state: "suspended" }),
  };
  const silence = (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    status: () => (isWell ? sandbox.status() : answers[how]!()),
    resume: refuse,
    destroy: () => (isWell ? sandbox.destroy() : never()),
  });
  const provider: SandboxProvider = { ...real, create: async (wanted) => silence(await real.create(wanted)) };
  const sessions = sessionsOn(provider, { limits: { providerTimeoutMs: 20, providerOutageMs: 60 } });
  const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sendMessage("hello");
  await vi.waitFor(() => expect(session.getRuntimeState().sandbox?.status).toBe("ready"));
  isWell = false;
  lose!();
  const message = expect.stringMatching(told) as string;
  expect((await eventsUntilTurnEnds(sessions, "s")).at(-1)).toMatchObject({
    type: "turn.ended",
    data: { metadata: { reason: "error", message } },
  });
  await vi.waitFor(() => expect(session.getRuntimeState().sandbox?.status).toBe("terminated"));
});
