/**
 * Feared: faults that backends for agents had before, each of them seen in a real one. That a session has
 * two sandboxes or objects is also tried in `runtime.e2e.test.ts` ("of fifty …"); that a loaded session is never unloaded, there
 * ("a sandbox in which nothing happens …").
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { hostileAgentEnv } from "./__fixtures__/hostile-agent.ts";
import { startTestRuntime, turnsOf } from "./__fixtures__/test-runtime.ts";
import { getArchitectureParser } from "./architectures/architecture-parser.ts";
import type { DomainEvents } from "./events/event-bus.ts";
import { ApplicationStorage } from "./persistence/__fixtures__/application-storage.ts";
import { entriesOfTranscript } from "./persistence/transcript-text.ts";
import { storeLabel } from "./sessions/sandbox-spec.ts";

const long = 180_000;
const soon = { timeout: 30_000, interval: 50 };

async function untilAsked(client: SandboxAgent, sessionId: string): Promise<void> {
  for await (const event of client.streamEvents(sessionId)) if (event.type === "permission.requested") return;
}

async function wholeLog(client: SandboxAgent, sessionId: string): Promise<string> {
  return JSON.stringify((await client.getEvents(sessionId)).events);
}

test(
  "what is said in one session is in no other, also when they run at once",
  async () => {
    const { client, sandboxes } = await startTestRuntime();
    const ids = ["ann", "bob", "cleo", "dan"];
    for (const id of ids) await client.createSession(id, { agent: "mock" });
    await Promise.all(ids.map((id) => client.postMessage(id, { message: `echo word-of-${id}` })));
    await Promise.all(ids.map((id) => turnsOf(client, id, 1)));
    for (const id of ids) {
      // A word may be cut between two deltas.
      const words = [...new Set((await wholeLog(client, id)).match(/word-of-\w+/g))];
      const own = `word-of-${id}`;
      expect([words.includes(own), words.filter((word) => !own.startsWith(word))]).toEqual([true, []]);
    }
    expect(await sandboxes()).toHaveLength(ids.length);
  },
  long,
);

test(
  "a start that fails ends the turn with the reason, leaves nothing starting, and is tried again by the next message",
  async () => {
    let failures = 1;
    const beforeCreate = () => {
      if (failures-- > 0) throw new Error("The machine is full.");
    };
    const { client, store, sandboxes, again, runtime } = await startTestRuntime({ beforeCreate });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    expect((await turnsOf(client, "s", 1)).at(-1)).toMatchObject({
      data: { metadata: { reason: "error", message: "The machine is full." } },
    });
    expect(await client.getSession("s")).toMatchObject({ status: "idle", runtime: { sandbox: null } });
    expect([await sandboxes(), await store.sandboxes()]).toEqual([[], []]);
    await client.postMessage("s", { message: "echo two" });
    expect((await turnsOf(client, "s", 2)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });

    await runtime.sessions.getSession("s")!.deactivateSandbox("For the test.");
    failures = 1;
    await client.postMessage("s", { message: "echo three" });
    await turnsOf(client, "s", 3);
    await runtime.sessions.close();
    await runtime.catalog.close();
    const next = await again();
    await next.client.postMessage("s", { message: "echo four" });
    await turnsOf(next.client, "s", 4);
    const { runtime: state } = await next.client.getSession("s");
    expect(state?.sandbox, "generations are never used twice").toMatchObject({ status: "ready", generation: 2 });
  },
  long,
);

test(
  "a session that is loaded while it is unloaded is one object with one sandbox",
  async () => {
    const { client, runtime, sandboxes } = await startTestRuntime();
    const { sessions } = runtime;
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    await turnsOf(client, "s", 1);
    const before = sessions.getSession("s");
    const unloading = Promise.all([sessions.unloadSession("s"), sessions.unloadSession("s")]);
    await vi.waitFor(() => expect(sessions.isSessionLoaded("s")).toBe(false));
    const loaded = Promise.all([sessions.loadSession("s"), client.postMessage("s", { message: "echo two" })]);
    await unloading;
    const [after] = await loaded;
    expect(after).not.toBe(before);
    expect(sessions.getSession("s")).toBe(after);
    expect((await turnsOf(client, "s", 2)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(await sandboxes()).toHaveLength(1);
  },
  long,
);

test(
  "a read that fails never blanks a stored transcript, and what is said later is added to it",
  async () => {
    const persistence = new ApplicationStorage();
    const first = await startTestRuntime({ persistence });
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "echo one" });
    await turnsOf(first.client, "s", 1);
    await first.runtime.sessions.unloadSession("s");
    const kept = persistence.sessions.get("s")!.rawTranscript;
    expect(kept).toContain("echo one");

    const { client, runtime } = await startTestRuntime({ persistence });
    await client.listSessions();
    persistence.fail("loadSession");
    await expect(client.postMessage("s", { message: "echo two" })).rejects.toMatchObject({ code: "internal_error" });
    await expect(runtime.sessions.syncSession("s")).rejects.toMatchObject({ code: "internal_error" });
    await runtime.sessions.unloadSession("s");
    expect(persistence.sessions.get("s")!.rawTranscript).toBe(kept);

    persistence.mend();
    await client.postMessage("s", { message: "echo two" });
    await turnsOf(client, "s", 2);
    await runtime.sessions.unloadSession("s");
    const said = persistence.sessions.get("s")!.rawTranscript?.match(/echo (one|two)/g);
    expect([...new Set(said)]).toEqual(["echo one", "echo two"]);
  },
  long,
);

test(
  "every delta names its block, and what a subagent says is in a conversation of its own",
  async () => {
    const { client, runtime } = await startTestRuntime();
    const begun = new Map<string, { conversationId: string; text: string }>();
    const ofNoBlock: unknown[] = [];
    runtime.events.on("session:block:start", ({ blockId, conversationId }) => {
      begun.set(blockId, { conversationId, text: "" });
    });
    runtime.events.on("session:block:delta", (event) => {
      const block = begun.get(event.blockId);
      if (block?.conversationId !== event.conversationId) ofNoBlock.push(event);
      else if (event.field === "text") block.text += event.delta;
    });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "tool" });
    await turnsOf(client, "s", 1);
    const last = "All four are done.";
    await vi.waitFor(() => expect([...begun.values()].map(({ text }) => text)).toContain(last), soon);
    const told = [...begun.values()].filter(({ text }) => text !== "");
    const { blocks, subagents } = await runtime.sessions.getSession("s")!.getState();
    const polite = "It is polite enough.";
    expect(ofNoBlock).toEqual([]);
    expect(told.find(({ text }) => text === polite)?.conversationId).toBe(subagents[0]?.id);
    const textsOf = (list: typeof blocks) =>
      list.flatMap((block) => (block.type === "assistant_text" ? block.text : []));
    expect(textsOf(blocks)).not.toContain(polite);
    expect(subagents.map(({ blocks: own }) => textsOf(own))).toEqual([[polite]]);
    const main = told.filter(({ conversationId }) => conversationId === "main").map(({ text }) => text);
    expect(main).toEqual(["tool", ...textsOf(blocks)]);
  },
  long,
);

test.each(Object.entries<TranscriptDialect>(transcriptDialects))(
  "a transcript of %s has the same ids and times whenever it is parsed, also where it names none",
  (agent, { writeTranscript }) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const items = ["user", "assistant", "user"].map((role, n) => ({
      item_id: `i${n}`,
      kind: "message",
      role,
      status: "completed",
      content: [{ type: "text", text: `Words ${n}.` }],
    }));
    const events = items.map((item) => ({ type: "item.completed", data: { item } }) as UniversalEvent);
    const about = { nativeSessionId: "n", directory: "/d", time: "2026-01-01T00:00:00.000Z", nextUuid: randomUUID };
    const { text } = writeTranscript!(events, about);
    const untimed = text.replaceAll(/"[^"]*2026-01-01[^"]*"|\b17672256\d{5}\b/g, "null");
    expect(untimed).not.toBe(text);
    for (const each of [text, untimed]) {
      const looks = [1, 2].map((day) => {
        vi.setSystemTime(new Date(`2030-01-0${day}`));
        return [getArchitectureParser(agent).parseTranscripts(each), entriesOfTranscript(agent, each, 7)];
      });
      expect(looks[0]).toMatchObject([{ blocks: [{}, {}, {}] }, expect.any(Array)]);
      expect(looks[1]).toEqual(looks[0]);
    }
  },
);

test.each(["gone", "silent"])(
  "a session whose sandbox is %s is unloaded all the same, and its log stays",
  async (how) => {
    let isSilent = false;
    const network: typeof fetch = (input, init) => {
      if (!isSilent) return fetch(input, init);
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    };
    const { client, runtime, provider, store, sandboxes } = await startTestRuntime({ network });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    await untilAsked(client, "s");
    const before = await wholeLog(client, "s");
    isSilent = how === "silent";
    if (how === "gone") await (await provider.attach((await store.sandboxOf("s"))!.providerId))!.destroy();
    await runtime.sessions.unloadSession("s");
    expect(runtime.sessions.isSessionLoaded("s")).toBe(false);
    expect(await sandboxes()).toEqual([]);
    const after = await wholeLog(client, "s");
    expect(after.slice(0, before.length - 1)).toBe(before.slice(0, -1));
    expect(await client.getSession("s")).toMatchObject({ status: "idle", runtime: { isLoaded: false } });
  },
  long,
);

test(
  "a tool that never ran is not said to have succeeded when its sandbox is lost",
  async () => {
    const { client, provider, store } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "permission" });
    await untilAsked(client, "s");
    await (await provider.attach((await store.sandboxOf("s"))!.providerId))!.destroy();
    const events = await turnsOf(client, "s", 1);
    const calls = events.flatMap((event) =>
      event.type === "item.completed" && event.data.item.kind === "tool_call" ? [event.data.item.status] : [],
    );
    expect(calls).toEqual(["failed"]);
    expect(events.filter((event) => event.type === "item.completed" && event.data.item.kind === "tool_result")).toEqual(
      [],
    );
  },
  long,
);

test(
  "what people say is in no command line of any process",
  async () => {
    const { client } = await startTestRuntime({ agentEnv: hostileAgentEnv() });
    await client.createSession("s", { agent: "hostile" });
    await client.postMessage("s", { message: "ask a-secret-wish" });
    await untilAsked(client, "s");
    const commands = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? [commandOf(pid)] : []));
    expect(commands.filter((command) => command.includes("session/new"))).not.toEqual([]);
    expect(commands.filter((command) => command.includes("a-secret-wish"))).toEqual([]);
  },
  long,
);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test(
  "every event that is declared is told of",
  async () => {
    const names = {
      "session:created": true,
      "session:deleted": true,
      "session:status": true,
      "session:events": true,
      "session:block:start": true,
      "session:block:delta": true,
      "session:block:update": true,
      "session:block:complete": true,
      "session:file:created": true,
      "session:file:modified": true,
      "session:file:deleted": true,
      "session:file:resync": true,
      "sessions:changed": true,
    } satisfies Record<keyof DomainEvents, true>;
    const { client, runtime } = await startTestRuntime();
    const told = new Set<string>();
    for (const name of Object.keys(names) as (keyof DomainEvents)[]) runtime.events.on(name, () => told.add(name));
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "tool" });
    await turnsOf(client, "s", 1);
    const place = { sessionId: "s", path: "a.txt" };
    await vi.waitFor(() => expect(told).toContain("session:file:resync"), soon);
    await client.writeFsFile(place, "one");
    await vi.waitFor(() => expect(told).toContain("session:file:created"), soon);
    await client.writeFsFile(place, "another");
    await vi.waitFor(() => expect(told).toContain("session:file:modified"), soon);
    await client.deleteFsEntry(place);
    await vi.waitFor(() => expect(told).toContain("session:file:deleted"), soon);
    await client.deleteSession("s");
    expect([...told].toSorted()).toEqual(Object.keys(names).toSorted());
  },
  long,
);

test(
  "a sandbox that an earlier runtime left idle is suspended or ended, though nobody asks for its session",
  async () => {
    const first = await startTestRuntime();
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "echo one" });
    await turnsOf(first.client, "s", 1);
    await first.gateway.close();
    await first.runtime.sessions.close();
    const next = await first.again({ limits: { idleTimeoutMs: 100, unloadAfterMs: 100 } });
    expect(await next.sandboxes()).toHaveLength(1);
    await vi.waitFor(async () => expect(await next.sandboxes()).toEqual([]), soon);
    expect(next.runtime.sessions.isSessionLoaded("s")).toBe(false);
  },
  long,
);

test(
  "a sandbox that nobody owns is ended while the runtime runs, and those of sessions stay",
  async () => {
    const { client, provider, store, sandboxes } = await startTestRuntime({
      limits: { reapIntervalMs: 100, reapGraceMs: 500 },
    });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    await turnsOf(client, "s", 1);
    const owned = await sandboxes();
    await provider.create({ labels: { [storeLabel]: store.storeId }, bundle: "/nowhere" });
    expect(await sandboxes()).toHaveLength(2);
    await vi.waitFor(async () => expect(await sandboxes()).toEqual(owned), soon);
  },
  long,
);
