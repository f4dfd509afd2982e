import { setImmediate } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent/protocol";
import { describe, expect, test } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { AgentHarness } from "./agent-harness.ts";
import type { FeatureName } from "./features.ts";
import { provokedTest } from "./provoked-test.ts";

const ROUNDS_FOR_LATE_EVENTS = 20;

interface Moment {
  readonly when: string;
  readonly feature: FeatureName;
  /** Settles in the middle of the turn. */
  reached(harness: AgentHarness): Promise<unknown>;
}

/** The moments at which an agent is stopped. */
const moments: readonly Moment[] = [
  {
    when: "in the middle of a text",
    feature: "longText",
    reached: async (harness) => {
      while ((await harness.next("item.delta")).source !== "agent");
    },
  },
  {
    when: "while it waits for permission",
    feature: "permission",
    reached: (harness) => harness.next("permission.requested"),
  },
  {
    when: "while it waits for an answer",
    feature: "question",
    reached: (harness) => harness.next("question.requested"),
  },
];

/** Stopping, closing and coming back. */
export function describeLifecycle(contract: AgentContract): void {
  const { provoke } = contract.scenario;

  describe("is interrupted", () => {
    for (const { when, feature, reached } of moments) {
      provokedTest(`${when}, and stays usable`, provoke[feature], async (by) => {
        const harness = await contract.open(by.session);
        const turn = promptWith(harness, by);
        await reached(harness);
        await harness.interrupt();
        expect((await turn).outcome.reason).toBe("interrupted");
        expectSound(harness);
        await contract.expectUsable(harness);
      });
    }

    test("while nothing runs, which does nothing", async () => {
      const harness = await contract.open();
      const before = harness.events.length;
      await harness.interrupt();
      expect(harness.events.length).toBe(before);
      await contract.expectUsable(harness);
    });
  });

  describe("is closed", () => {
    test("twice, and before any prompt", async () => {
      const harness = await contract.open();
      await harness.close();
      await harness.close();
      expectSound(harness);
    });

    for (const { when, feature, reached } of moments) {
      provokedTest(`${when}: the prompt rejects and nothing is emitted any more`, provoke[feature], async (by) => {
        const harness = await contract.open(by.session);
        const rejected = expect(promptWith(harness, by)).rejects.toBeInstanceOf(SandboxError);
        await reached(harness);
        await harness.close();
        await rejected;
        for (let round = 0; round < ROUNDS_FOR_LATE_EVENTS; round += 1) await setImmediate();
        expectSound(harness);
      });
    }
  });

  describe("comes back", () => {
    provokedTest("to the same conversation under the same native id", provoke.text, async (by) => {
      const harness = await contract.open(by.session);
      await promptWith(harness, by);
      const nativeId = harness.nativeSessionId;
      expect(nativeId).not.toBeNull();
      await harness.reopen();
      await contract.expectUsable(harness);
      expect(harness.nativeSessionId).toBe(nativeId);
    });
  });
}
