/**
 * Feared: a chat that shows one thing while it streams and another when it is read again: other ids, other order, what a
 * subagent said in the user's conversation, tools that succeeded before they ran.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyTranscript, foldEvents } from "../fold/transcript.ts";
import { streamFromChoices } from "../testing/index.ts";
import type { UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { applyToBlocks } from "./apply-to-blocks.ts";
import { createBlockState } from "./block-state.ts";
import type { BlockChange, ConversationBlock } from "./conversation-block.ts";
import { blocksOfEvents, blocksOfItems, ConversationBlocks, type SessionBlocks } from "./conversation-blocks.ts";

const anyNumbers = fc.array(fc.nat(), { maxLength: 300, size: "max" });
/** With ids of the agent's own: none, one for several items, or the same again later. */
const anyStream = fc
  .tuple(anyNumbers.map(streamFromChoices), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 40 }))
  .map(([events, items, ids]) => events.map((event) => withNativeId(event, items, ids)));

function withNativeId(event: UniversalEvent, items: number, ids: number): UniversalEvent {
  if (event.type !== "item.started" && event.type !== "item.completed") return event;
  const number = Number(event.data.item.item_id.replace("itm_", ""));
  if (number % items === 0) return event;
  const native_item_id = `native_${Math.floor(number / items) % ids}`;
  return { ...event, data: { item: { ...event.data.item, native_item_id } } };
}

function changesOf(events: readonly UniversalEvent[]): BlockChange[] {
  const state = createBlockState();
  return events.flatMap((event) => applyToBlocks(state, event));
}

function allOf({ blocks, subagents }: SessionBlocks): ConversationBlock[] {
  return [...blocks, ...subagents.flatMap((subagent) => subagent.blocks)];
}

/** Which subagent is heard of first is a matter of the moment: what has no text yet is not shown. */
function byId({ blocks, subagents }: SessionBlocks): SessionBlocks {
  return { blocks, subagents: [...subagents].sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

/** What items alone tell, without times. */
function ofItems({ blocks, subagents }: SessionBlocks): SessionBlocks {
  const only = (list: readonly ConversationBlock[]) =>
    list
      .filter(({ type }) => type !== "error" && type !== "permission" && type !== "question")
      .map((block) => ({ ...block, timestamp: null }));
  return {
    blocks: only(blocks),
    subagents: subagents.map((subagent) => ({ ...subagent, blocks: only(subagent.blocks) })),
  };
}

describe("for every valid stream", () => {
  test("what streams is in the end what comes without deltas, and what its items alone say", () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const streamed = byId(blocksOfEvents(events));
        expect(byId(blocksOfEvents(events.filter(({ type }) => type !== "item.delta")))).toEqual(streamed);
        const { items } = foldEvents(emptyTranscript, events);
        expect(byId(blocksOfItems(items))).toEqual(ofItems(streamed));
      }),
    );
  });

  test("a log that is cut anywhere and gone on with, with events told twice, gives the same changes", () => {
    fc.assert(
      fc.property(anyStream, fc.nat(), fc.nat(), (events, cut, again) => {
        const at = cut % (events.length + 1);
        const state = createBlockState();
        const before = events.slice(0, at).flatMap((event) => applyToBlocks(state, event));
        const kept = structuredClone(state);
        const rest = events.slice(Math.max(0, at - (again % 20)));
        const after = rest.flatMap((event) => applyToBlocks(kept, event));
        expect([...before, ...after]).toEqual(changesOf(events));
      }),
    );
  });

  test("ids are unique, each block starts once before all else and completes once at most", () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const started = new Map<string, string>();
        const completed = new Set<string>();
        for (const change of changesOf(events)) {
          const { type, blockId, conversationId } = change;
          if (type === "start") {
            expect(started.has(blockId)).toBe(false);
            if (change.after !== null) expect(started.get(change.after)).toBe(conversationId);
            started.set(blockId, conversationId);
          }
          expect(started.get(blockId)).toBe(conversationId);
          if (type === "start" || type === "complete") {
            expect(change.block).toMatchObject({ id: blockId, conversationId });
          }
          if (type === "complete") expect(completed.has(blockId)).toBe(false);
          if (type === "complete") completed.add(blockId);
          if (type === "delta") expect(completed.has(blockId)).toBe(false);
        }
        expect(started.size).toBe(allOf(blocksOfEvents(events)).length);
      }),
    );
  });

  test("times are those of the events that began it", () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const times = new Set(events.map(({ time }) => time));
        for (const { timestamp } of allOf(blocksOfEvents(events))) expect(times.has(timestamp ?? "")).toBe(true);
      }),
    );
  });

  test("no tool has succeeded before its result was there", () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const state = createBlockState();
        const blocks = new ConversationBlocks();
        const ended = new Set<string>();
        for (const event of events) {
          for (const change of applyToBlocks(state, event)) blocks.apply(change);
          if (event.type === "item.completed") for (const id of resultsOf(event.data.item)) ended.add(id);
          for (const block of allOf(blocks.result())) {
            if (block.type === "tool_use" && block.status === "success") expect(ended).toContain(block.callId);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test("what belongs to another item is never in the main conversation", () => {
    fc.assert(
      fc.property(anyNumbers.map(streamFromChoices), (events) => {
        const inner = new Set<string>();
        const own = events.filter((event) => {
          if (event.type === "item.delta") return !inner.has(event.data.item_id);
          if (event.type !== "item.started" && event.type !== "item.completed") return true;
          if (event.data.item.parent_id) inner.add(event.data.item.item_id);
          return !event.data.item.parent_id;
        });
        expect(prose(blocksOfEvents(events))).toEqual(prose(blocksOfEvents(own)));
        expect(blocksOfEvents(own).subagents).toEqual([]);
      }),
    );
  });
});

function prose({ blocks }: SessionBlocks): object[] {
  return blocks.flatMap((block) =>
    "text" in block ? [{ id: block.id, text: block.text, attachments: block.attachments }] : [],
  );
}

function resultsOf({ content }: UniversalItem): string[] {
  return content.flatMap((part) => (part.type === "tool_result" ? [part.call_id] : []));
}

test("of more than may be kept the oldest go, whatever conversation they are of", () => {
  const blocks = new ConversationBlocks({ maxSize: 10_000 });
  const text = "x".repeat(1_000);
  for (let n = 1; n <= 50; n += 1) {
    const conversationId = n % 2 === 0 ? "main" : "call";
    const block = { type: "thinking", id: `b${n}`, conversationId, timestamp: null, text, attachments: [] } as const;
    blocks.apply({ type: "start", conversationId, blockId: block.id, block, after: n > 2 ? `b${n - 2}` : null });
  }
  const { blocks: main, subagents } = blocks.result();
  const kept = main.length + (subagents[0]?.blocks.length ?? 0);
  expect(main.at(-1)?.id).toBe("b50");
  expect(subagents[0]?.blocks.at(-1)?.id).toBe("b49");
  expect(kept).toBeGreaterThanOrEqual(5);
  expect(kept).toBeLessThanOrEqual(6);
  expect(blocks.dropped).toBe(50 - kept);
  expect([...main, ...subagents[0]!.blocks].map(({ id }) => Number(id.slice(1))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: kept }, (_, index) => 51 - kept + index),
  );
});
