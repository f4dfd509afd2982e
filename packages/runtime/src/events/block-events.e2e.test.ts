/**
 * Feared: a chat that follows a runtime and shows other blocks than one that asks for them, or what a subagent said as if the
 * agent had said it.
 */
import { randomUUID } from "node:crypto";
import { type TranscriptDialect, transcriptDialects } from "@sandbox-agent-ts/agents/transcripts";
import {
  type BlockChange,
  blocksOfEvents,
  ConversationBlocks,
  type SessionBlocks,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { storePersistence } from "../persistence/store-persistence.ts";
import type { AgentRuntime } from "../runtime.ts";
import type { RuntimeSessionData } from "../sessions/session-data.ts";

const long = 180_000;

const changes = {
  start: "session:block:start",
  delta: "session:block:delta",
  update: "session:block:update",
  complete: "session:block:complete",
} as const;

/** What a listener makes of the blocks it is told, and the changes. */
function follow({ events }: AgentRuntime, sessionId: string) {
  const blocks = new ConversationBlocks();
  const told: (BlockChange & { sequence: number })[] = [];
  for (const [type, name] of Object.entries(changes)) {
    events.on(name, ({ sessionId: of, ...change }) => {
      if (of !== sessionId) return;
      told.push({ type, ...change } as BlockChange & { sequence: number });
      blocks.apply({ type, ...change } as BlockChange);
    });
  }
  return { told, blocks: () => blocks.result() };
}

const blocksIn = ({ blocks, subagents }: RuntimeSessionData): SessionBlocks => ({ blocks, subagents });

test(
  "who follows a session has the blocks of its state, of its log, and of the state after a restart",
  async () => {
    const first = await startTestRuntime();
    const followed = follow(first.runtime, "s");
    const other = follow(first.runtime, "other");
    await first.client.createSession("s", { agent: "mock" });
    await first.client.postMessage("s", { message: "tool" });
    const events = await turnsOf(first.client, "s", 1);
    const state = await first.runtime.sessions.getSession("s")!.getState();
    expect(blocksIn(state)).toEqual(blocksOfEvents(events));
    await expect.poll(followed.blocks).toEqual(blocksIn(state));
    expect(other.told).toEqual([]);

    expect(state.blocks.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user_message", "assistant_text", "tool_use"]),
    );
    const [subagent] = state.subagents;
    expect(state.blocks).toContainEqual(expect.objectContaining({ type: "tool_use", subagentId: subagent?.id }));
    expect(subagent?.blocks).toMatchObject([{ type: "assistant_text", conversationId: subagent?.id }]);
    const said = state.blocks.flatMap((block) => (block.type === "assistant_text" ? [block.text] : []));
    expect(said).not.toContain("It is polite enough.");
    expect(subagent?.blocks).toMatchObject([{ text: "It is polite enough." }]);
    const deltas = followed.told.filter(({ type }) => type === "delta");
    expect(new Set(deltas.map(({ conversationId }) => conversationId))).toEqual(new Set(["main", subagent?.id]));
    for (const { blockId, sequence } of followed.told) expect([typeof blockId, sequence > 0]).toEqual(["string", true]);

    await first.runtime.close();
    const second = await first.again();
    const loaded = await second.runtime.sessions.loadSession("s");
    expect(blocksIn(await loaded.getState())).toEqual(blocksIn(state));
  },
  long,
);

test(
  "who begins to listen later is told of what comes, by the names that all others know",
  async () => {
    const { client, runtime } = await startTestRuntime();
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "tool" });
    const before = await turnsOf(client, "s", 1);
    const followed = follow(runtime, "s");
    await client.postMessage("s", { message: "tool" });
    await turnsOf(client, "s", 2);
    const state = await runtime.sessions.getSession("s")!.getState();
    const old = new Set(blocksOfEvents(before).blocks.map(({ id }) => id));
    expect(old.size).toBeGreaterThan(5);
    const later = state.blocks.filter(({ id }) => !old.has(id));
    expect(later.length).toBe(old.size);
    await expect.poll(() => followed.blocks().blocks).toEqual(later);
    expect(followed.told.every(({ sequence }) => sequence > before.length)).toBe(true);
  },
  long,
);

test(
  "the list and the state of sessions say what is kept, where they run, and no status",
  async () => {
    const { client, runtime, store, sandboxes } = await startTestRuntime();
    await client.createSession("a", { agent: "mock", name: "First", metadata: { team: "web" } });
    await client.createSession("b", { agent: "mock" });
    await store.putFile("a", { path: "src/a.txt", content: "one", modifiedAt: 1 });
    await runtime.sessions.unloadSession("b");
    const all = await runtime.sessions.getAllSessions();
    expect(all).toMatchObject([
      { sessionId: "b", type: "mock", runtime: { isLoaded: false, sandbox: null } },
      { sessionId: "a", name: "First", metadata: { team: "web" }, runtime: { isLoaded: true, sandbox: null } },
    ]);
    const session = runtime.sessions.getSession("a")!;
    expect(session.getListData()).toEqual(all[1]);
    const state = await session.getState();
    expect(state).toEqual({
      ...all[1],
      blocks: [],
      subagents: [],
      workspaceFiles: [{ path: "src/a.txt", content: "one" }],
    });
    expect(Object.keys(state)).not.toContain("status");
    expect(await sandboxes()).toEqual([]);
  },
  long,
);

test(
  "a session of which only the agent's transcript is kept has its blocks, without a sandbox",
  async () => {
    const { runtime, store, sandboxes } = await startTestRuntime();
    const [[type, { writeTranscript }]] = Object.entries(transcriptDialects) as [[string, Required<TranscriptDialect>]];
    const item = {
      item_id: "i",
      kind: "message",
      role: "user",
      status: "completed",
      content: [{ type: "text", text: "Hello." }],
    };
    const told = [{ type: "item.completed", data: { item } } as UniversalEvent];
    const about = { nativeSessionId: "n", directory: "/d", time: "2026-01-01T00:00:00.000Z", nextUuid: randomUUID };
    const persistence = storePersistence(store);
    await persistence.createSessionRecord({ sessionId: "old", type, agentProfileReference: "p" });
    await persistence.saveTranscript("old", writeTranscript(told, about).text);
    const session = await runtime.sessions.loadSession("old");
    const { blocks } = await session.getState();
    expect(blocks).toMatchObject([{ type: "user_message", text: "Hello.", conversationId: "main" }]);
    expect((await session.getState()).blocks).toEqual(blocks);
    expect(await sandboxes()).toEqual([]);
  },
  long,
);
