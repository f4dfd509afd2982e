import {
  blocksOfEvents,
  blocksOfTranscript,
  type ConversationBlock,
  type ItemTold,
  type SessionBlocks,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";

/**
 * The blocks of a log are those of the agent's own files: ids, order, conversations, texts, tools. All that no transcript has,
 * of any agent, is left out here and nowhere else:
 * - what was asked and decided (permissions, questions) and errors, which agents do not write down,
 * - what only a running program tells (retries, changes of mode): `system` blocks that the files do not know,
 * - messages that were cut off: a model says them again, and most files have only that,
 * - times: a log has when it heard of something, a file when it was written,
 * - how the input of a tool was spelled: files have it parsed, Claude Code with a default of its own,
 * - subagents whose files were not given,
 * - `sometimes`: what the program tells so late that a turn may be over, and writes down nevertheless.
 */
export function expectSameBlocks(
  events: readonly UniversalEvent[],
  told: readonly ItemTold[],
  { sometimes }: { readonly sometimes?: string } = {},
): void {
  const kept = blocksOfTranscript(withoutFailed(told));
  const systems = new Set(
    all(kept).flatMap((block) => (block.type === "system" && block.label !== sometimes ? [block.id] : [])),
  );
  const live = blocksOfEvents(withoutFailed(events));
  const comparable = ({ blocks, subagents }: SessionBlocks) => ({
    blocks: lasting(blocks, systems),
    subagents: subagents
      .map((subagent) => ({ ...subagent, blocks: lasting(subagent.blocks, systems) }))
      .sort((one, other) => one.id.localeCompare(other.id)),
  });
  expect(comparable(kept)).toEqual(comparable(live));
  expect(all(kept).length).toBeGreaterThan(0);
}

function all({ blocks, subagents }: SessionBlocks): ConversationBlock[] {
  return [...blocks, ...subagents.flatMap((subagent) => subagent.blocks)];
}

function withoutFailed<T extends UniversalEvent | ItemTold>(events: readonly T[]): T[] {
  const failed = new Set(
    events.flatMap((event) =>
      event.type === "item.completed" && event.data.item.kind === "message" && event.data.item.status === "failed"
        ? [event.data.item.item_id]
        : [],
    ),
  );
  return events.filter((event) => {
    if (event.type === "item.delta") return !failed.has(event.data.item_id);
    return (event.type !== "item.started" && event.type !== "item.completed") || !failed.has(event.data.item.item_id);
  });
}

const unwritten = new Set(["permission", "question", "error"]);

function lasting(blocks: readonly ConversationBlock[], systems: ReadonlySet<string>): object[] {
  return blocks
    .filter(({ type, id }) => !unwritten.has(type) && (type !== "system" || systems.has(id)))
    .map(({ timestamp: _, ...block }) =>
      block.type === "tool_use" ? { ...block, input: parsed(block.input) } : block,
    );
}

function parsed(input: string): unknown {
  const { replace_all: _, ...value } = JSON.parse(input) as Record<string, unknown>;
  return value;
}
