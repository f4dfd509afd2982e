import { describe, expect, test } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { expectModelSaw, expectProvoked, expectUntouched } from "./expect-provoked.ts";
import type { FeatureName } from "./features.ts";
import { agentDeltas, assistantText, completedItems, eventsOf, partsOf } from "./stream-readers.ts";

type Shown = (turn: HarnessTurn, by: ProvokingMessage) => void;

/** What one turn shows by itself, and how it is recognised. */
const shown = {
  text: ({ events }) => expect(assistantText(events)).not.toBe(""),
  deltas: ({ events }) => expect(agentDeltas(events).length).toBeGreaterThan(1),
  reasoning: ({ events }, { thinks = "" }) => {
    const thoughts = partsOf(events, "reasoning").map(({ text }) => text);
    expect(thoughts.join("")).not.toBe("");
    expect(thoughts.join("\n")).toContain(thinks);
  },
  unicode: ({ events }, { replies }) => expect(assistantText(events)).toBe(replies),
  status: ({ events }) => expect(partsOf(events, "status")).not.toEqual([]),
  usage: expectCounted,
  usageOfSeveral: expectCounted,
} as const satisfies Partial<Record<FeatureName, Shown>>;

/** One prompt and its answer. */
export function describeTurns(contract: AgentContract): void {
  describe("takes a turn and", () => {
    for (const name of Object.keys(shown) as (keyof typeof shown)[]) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = await promptWith(harness, by);
        expectProvoked(turn, by);
        shown[name](turn, by);
        await expectUntouched(harness, by);
        expectSound(harness);
      });
    }

    contract.feature("memory", async (by) => {
      const harness = await contract.open(by);
      if (by.after) expectProvoked(await promptWith(harness, by.after), by.after);
      expectProvoked(await promptWith(harness, by), by);
      await contract.expectUsable(harness);
      expectModelSaw(contract.world.model, by.message, by.replies ?? "");
    });

    test("starts its items itself exactly when it claims so", async () => {
      const harness = await contract.open();
      await contract.expectUsable(harness);
      const started = eventsOf(harness.events, "item.started").some(({ source }) => source === "agent");
      expect(started).toBe(contract.adapter.capabilities.itemStarted);
    });

    test("gives every item of several turns an id of its own", async () => {
      const harness = await contract.open();
      for (let turn = 0; turn < 3; turn += 1) await contract.expectUsable(harness);
      const ids = completedItems(harness.events).map((item) => item.item_id);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });
}

function expectCounted({ outcome }: HarnessTurn, { usage }: ProvokingMessage): void {
  expect(outcome.usage).toMatchObject({
    input_tokens: usage?.input ?? expect.any(Number),
    output_tokens: usage?.output ?? expect.any(Number),
  });
}
