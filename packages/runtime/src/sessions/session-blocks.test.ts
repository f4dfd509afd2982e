import { blocksOfEvents, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { streamFromChoices } from "@sandbox-agent-ts/protocol/testing";
import { expect, test } from "vitest";
import { blocksOfLog } from "./session-blocks.ts";

async function* one(events: readonly UniversalEvent[]): AsyncGenerator<UniversalEvent> {
  yield* events;
}

const events = streamFromChoices(Array.from({ length: 2_000 }, (_, n) => (n * 7919) % 1009));

test("the blocks of a log are those of its events", async () => {
  const { blocks, subagents } = blocksOfEvents(events);
  expect(blocks.length).toBeGreaterThan(20);
  expect(await blocksOfLog(one(events))).toEqual({ blocks, subagents });
});

test("of a log that is longer than may be held the end is told, and how much is missing", async () => {
  const { blocks, subagents } = blocksOfEvents(events);
  const all = blocks.length + subagents.reduce((count, subagent) => count + subagent.blocks.length, 0);
  const cut = await blocksOfLog(one(events), 20 * 600);
  const kept = cut.blocks.length + cut.subagents.reduce((count, subagent) => count + subagent.blocks.length, 0);
  expect(kept).toBeLessThanOrEqual(24);
  expect(kept).toBeGreaterThan(10);
  expect(cut.omittedBlocks).toBe(all - kept);
  expect(blocks.slice(-cut.blocks.length)).toEqual(cut.blocks);
});
