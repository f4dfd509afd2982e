/** Feared: an agent whose items grow without end, in length or in number. */
import { type EventPayload, maxItemText, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { MemoryStore } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { expectSound, ofType } from "../__fixtures__/client.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { OpenText } from "./open-text.ts";

const limits = { timeout: 60_000 };

class PickyStore extends MemoryStore {
  refuses: string | undefined;

  override append(...[id, batch]: Parameters<MemoryStore["append"]>): void | Promise<void> {
    if (this.refuses !== undefined && batch.lines.includes(this.refuses)) throw new RangeError("Invalid string length");
    return super.append(id, batch);
  }
}

async function begin() {
  const store = new PickyStore();
  const agent = new ScriptedAgent();
  const sessions = openSessions(store, agent.adapter, { retryWriteMs: 5 });
  const { session } = await sessions.create("s", { agent: "scripted" });
  await session.admit({ message: "hello" });
  await agent.prompted(1);
  return { store, agent, session };
}

/** The whole log when its first turn has ended. */
async function whenEnded({ session }: Awaited<ReturnType<typeof begin>>): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for await (const chunk of session.log.follow(0, { signal: new AbortController().signal, raw: false })) {
    for (const line of chunk.bytes.toString().trim().split("\n")) events.push(JSON.parse(line));
    if (events.some(({ type }) => type === "turn.ended")) break;
  }
  return events;
}

const item = (id: string, text?: string) =>
  ({
    item_id: id,
    kind: "message",
    role: "assistant",
    content: text === undefined ? [] : [{ type: "text", text }],
  }) as const;
const started = (id: string): EventPayload => ({
  type: "item.started",
  data: { item: { ...item(id), content: [], status: "in_progress" } },
});
const delta = (id: string, text: string): EventPayload => ({ type: "item.delta", data: { item_id: id, delta: text } });
const completed = (id: string, text: string): EventPayload => ({
  type: "item.completed",
  data: { item: { ...item(id), content: [{ type: "text", text }], status: "completed" } },
});

test("an item that is too long is cut while it streams, and what its end repeats as well", limits, async () => {
  const begun = await begin();
  const piece = "🦀".repeat(512 * 1024);
  begun.agent.emit(started("i"));
  for (let n = 0; n < 9; n++) begun.agent.emit(delta("i", piece));
  begun.agent.emit(completed("i", piece.repeat(9)), started("j"), delta("j", "short"), completed("j", "short"));
  begun.agent.finish();
  const events = await whenEnded(begun);
  expectSound(events);
  const [, long, short] = ofType(events, "item.completed").map(({ data }) => data.item.content[0]);
  expect(long).toMatchObject({ text: expect.stringMatching(/^🦀+$/u) });
  expect(short).toMatchObject({ text: "short" });
  expect(ofType(events, "error")).toMatchObject([{ data: { code: "payload_too_large", details: { item_id: "i" } } }]);
});

test("an item that comes whole is cut too", limits, async () => {
  const begun = await begin();
  begun.agent.emit(completed("i", "x".repeat(maxItemText + 7)));
  begun.agent.finish();
  const events = await whenEnded(begun);
  expectSound(events);
  expect(ofType(events, "error")).toMatchObject([{ data: { details: { item_id: "i", dropped: 7 } } }]);
});

test("items that are never completed end the turn when they are too many", limits, async () => {
  const begun = await begin();
  for (let n = 0; n < 1500; n++) begun.agent.emit(started(`i${n}`));
  const events = await whenEnded(begun);
  expectSound(events);
  expect(events.at(-1)).toMatchObject({
    data: { metadata: { reason: "error", message: expect.stringMatching(/more than 1000 items open/) } },
  });
});

test("an end that cannot be written for another reason than the disk is replaced by a shorter one", async () => {
  const begun = await begin();
  begun.agent.emit(started("i"), delta("i", "some words"));
  await begun.session.log.settled();
  begun.store.refuses = '"text":"some words"';
  begun.agent.finish();
  const events = await whenEnded(begun);
  expect(ofType(events, "item.completed").at(-1)?.data.item).toMatchObject({ item_id: "i", status: "failed" });
  expect(events.at(-1)).toMatchObject({
    data: { metadata: { reason: "error", message: expect.stringContaining("Invalid string length") } },
  });
  await eventually(() => expect(begun.session.busy).toBe(false));
});

test("sessions that stream much at once share what there is room for, and give it back", async () => {
  const openText = new OpenText(100_000);
  const agent = new ScriptedAgent();
  const sessions = openSessions(new PickyStore(), agent.adapter, { openText });
  const { session } = await sessions.create("s", { agent: "scripted" });
  const begun = { store: new PickyStore(), agent, session };
  await session.admit({ message: "hello" });
  await agent.prompted(1);
  agent.emit(started("i"));
  for (let n = 0; n < 3; n++) agent.emit(delta("i", "x".repeat(60_000)));
  expect(sessions.memory).toMatchObject({ sessions: 1, maxOpenText: 100_000 });
  expect(sessions.memory.openText).toBeGreaterThan(60_000);
  expect(sessions.memory.openText).toBeLessThanOrEqual(100_000);
  agent.emit(completed("i", "x".repeat(180_000)));
  agent.finish();
  const events = await whenEnded(begun);
  expectSound(events);
  expect(ofType(events, "error")).toMatchObject([{ data: { code: "payload_too_large" } }]);
  expect(sessions.memory.openText).toBe(0);
});

test("the user's own message is not cut, however long", limits, async () => {
  const agent = new ScriptedAgent();
  const store = new PickyStore();
  const { session } = await openSessions(store, agent.adapter, {}).create("s", { agent: "scripted" });
  const message = "x".repeat(maxItemText + 1000);
  await session.admit({ message });
  await agent.prompted(1);
  agent.finish();
  const events = await whenEnded({ store, agent, session });
  expectSound(events);
  expect(ofType(events, "error")).toEqual([]);
  expect(ofType(events, "item.completed")[0]?.data.item.content).toEqual([{ type: "text", text: message }]);
});
