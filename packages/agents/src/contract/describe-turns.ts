import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import { assistantText, completedItems, type FeatureName, features } from "./features.ts";
import { provokedTest } from "./provoked-test.ts";

/** Features that show themselves in one prompt without anybody answering. */
const unattended = [
  "text",
  "longText",
  "reasoning",
  "toolCall",
  "command",
  "fileChange",
  "mcpTool",
  "subagent",
  "status",
  "image",
  "attachment",
] as const satisfies FeatureName[];

/** One prompt and its answer. */
export function describeTurns(contract: AgentContract): void {
  const { provoke } = contract.scenario;

  describe("takes a turn", () => {
    for (const name of unattended) {
      provokedTest(features[name].title, provoke[name], async (by) => {
        const harness = await contract.open(by.session);
        const { outcome, events } = await promptWith(harness, by);
        expect(outcome.reason).toBe("completed");
        expect(features[name].shown(events), JSON.stringify(events, null, 1)).toBe(true);
        if (by.replies !== undefined) expect(assistantText(events)).toContain(by.replies);
        expectSound(harness);
      });
    }

    provokedTest("starts its items itself exactly when it claims so", provoke.text, async (by) => {
      const adapter = await contract.adapter();
      const harness = await contract.open(by.session, adapter);
      const { events } = await promptWith(harness, by);
      const started = events.some((event) => event.type === "item.started" && event.source === "agent");
      expect(started).toBe(adapter.capabilities.itemStarted);
    });

    provokedTest("takes several turns in one session, with an id for every item", provoke.text, async (by) => {
      const harness = await contract.open(by.session);
      for (let turn = 0; turn < 3; turn += 1) {
        const { outcome, events } = await promptWith(harness, by);
        expect(outcome.reason).toBe("completed");
        expect(features.text.shown(events)).toBe(true);
      }
      const ids = completedItems(harness.events).map((item) => item.item_id);
      expect(new Set(ids).size).toBe(ids.length);
      expectSound(harness);
    });

    provokedTest("reports an error and ends the turn with it", provoke.error, async (by) => {
      const harness = await contract.open(by.session);
      const { outcome, events } = await promptWith(harness, by);
      expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/\S/) });
      expect(features.error.shown(events)).toBe(true);
      expectSound(harness);
    });

    provokedTest("goes on after an error", provoke.error, async (by) => {
      const harness = await contract.open(by.session);
      await promptWith(harness, by);
      await contract.expectUsable(harness);
    });

    provokedTest("ends the session after the turn", provoke.sessionEnd, async (by) => {
      const harness = await contract.open(by.session);
      const { outcome, events } = await promptWith(harness, by);
      expect(outcome.sessionEnded).toMatchObject({ terminated_by: "agent" });
      expect(events.slice(-2).map(({ type }) => type)).toEqual(["turn.ended", "session.ended"]);
      expectSound(harness);
    });
  });

  describe("keeps sessions apart", () => {
    provokedTest("two at once, with one adapter", provoke.text, async (by) => {
      const adapter = await contract.adapter();
      const [one, two] = await Promise.all([
        contract.open({ ...by.session, sessionId: "one" }, adapter),
        contract.open({ ...by.session, sessionId: "two" }, adapter),
      ]);
      const turns = await Promise.all([promptWith(one, by), promptWith(two, by)]);
      for (const { events } of turns) expect(features.text.shown(events)).toBe(true);
      expect(one.nativeSessionId).not.toBe(two.nativeSessionId);
      expectSound(one);
      expectSound(two);
    });
  });
}
