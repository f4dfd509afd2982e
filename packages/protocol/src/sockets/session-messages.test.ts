/** Feared: a client that resumes in the middle of what one event did, and misses the rest of it or sees it twice. */
import { array, assert, double, nat, property } from "fast-check";
import { expect, test } from "vitest";
import type { BlockChange } from "../blocks/conversation-block.ts";
import { blocksOfEvents, ConversationBlocks } from "../blocks/conversation-blocks.ts";
import { streamFromChoices } from "../testing/stream-from-choices.ts";
import type { UniversalEvent } from "../universal-event.ts";
import { messagesAfter, type SessionMessage, SessionProjection, sequenceBefore } from "./session-messages.ts";

const streams = array(nat(), { maxLength: 200 }).map(streamFromChoices);

function* messagesOf(events: readonly UniversalEvent[], after = 0): Generator<SessionMessage> {
  const projection = new SessionProjection("s");
  for (const event of events) yield* messagesAfter(projection.apply(event), after);
}

function applyTo(blocks: ConversationBlocks, { name, data }: SessionMessage): void {
  const [, , type] = name.split(":");
  if (name.startsWith("session:block:")) blocks.apply({ ...data, type } as unknown as BlockChange);
}

test("from every cursor on the same messages follow as for who was there from the beginning", () => {
  assert(
    property(streams, double({ min: 0, max: 1, noNaN: true }), (events, where) => {
      const all = [...messagesOf(events)];
      const at = Math.floor(where * all.length);
      const cursor = all[at - 1]?.data.cursor ?? 0;
      expect([...messagesOf(events, cursor)]).toEqual(all.slice(at));
      const whole = sequenceBefore(cursor);
      expect([...messagesOf(events, whole)]).toEqual(all.filter(({ data }) => data.sequence > whole));
    }),
  );
});

test("cursors grow with every message, and end an event at its sequence", () => {
  assert(
    property(streams, (events) => {
      const all = [...messagesOf(events)];
      all.forEach(({ data }, index) => {
        const next = all[index + 1]?.data;
        if (next) expect(next.cursor).toBeGreaterThan(data.cursor);
        if (next?.sequence !== data.sequence) expect(data.cursor).toBe(data.sequence);
        expect(Math.ceil(data.cursor)).toBe(data.sequence);
      });
    }),
  );
});

test("the blocks at a place in the log and the messages after it add up to the blocks of the whole", () => {
  assert(
    property(streams, nat(), (events, number) => {
      const at = number % (events.length + 1);
      const blocks = new ConversationBlocks();
      for (const message of messagesOf(events.slice(0, at))) applyTo(blocks, message);
      expect(blocks.result()).toEqual(blocksOfEvents(events.slice(0, at)));
      for (const message of messagesOf(events, at)) applyTo(blocks, message);
      expect(blocks.result()).toEqual(blocksOfEvents(events));
    }),
  );
});

test("turns and requests are told with what the log says of them", () => {
  const events = streamFromChoices(Array.from({ length: 400 }, (_, n) => (n * 7919) % 97));
  const told = [...messagesOf(events)];
  const names = (of: readonly string[]) => of.toSorted();
  const count = (name: string) => told.filter((message) => message.name === name).length;
  const inLog = (...types: readonly string[]) => events.filter(({ type }) => types.includes(type)).length;
  expect(count("session:turn:started")).toBe(inLog("turn.started"));
  expect(count("session:turn:ended")).toBe(inLog("turn.ended"));
  expect(count("session:request:opened")).toBe(inLog("permission.requested", "question.requested"));
  expect(count("session:request:resolved")).toBe(inLog("permission.resolved", "question.resolved"));
  expect(inLog("turn.started", "permission.requested", "question.requested")).toBeGreaterThan(5);
  const opened = told.flatMap(({ name, data }) => (name === "session:request:opened" ? [data.requestId] : []));
  const resolved = told.flatMap(({ name, data }) => (name === "session:request:resolved" ? [data.requestId] : []));
  expect(names(opened)).toEqual(expect.arrayContaining(names(resolved)));
});
