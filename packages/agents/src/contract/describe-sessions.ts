import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { AgentHarness } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { skillDescription } from "./contract-fixtures.ts";
import { expectRunning, firstAgentDelta } from "./describe-stopping.ts";
import { eventually } from "./eventually.ts";
import {
  expectCreated,
  expectModelKnowsImages,
  expectModelSaw,
  expectModelSawPaths,
  expectProvoked,
  requestsAbout,
} from "./expect-provoked.ts";
import { answerNextPermission, promptUnasked } from "./person.ts";
import { assistantText, eventsOf } from "./stream-readers.ts";

const ROUNDS_AT_ONCE = 2;

/** Conversations beside each other, and conversations that are lost and come back. */
export function describeSessions(contract: AgentContract): void {
  describe("has sessions and", () => {
    contract.feature("twoSessions", async (by) => {
      const pair = [by, by.other ?? by] as const;
      const [one, two] = await Promise.all([contract.open(pair[0]), contract.open(pair[1])]);
      for (let round = 0; round < ROUNDS_AT_ONCE; round += 1) {
        const [first, second] = await Promise.all([promptWith(one, pair[0]), promptWith(two, pair[1])]);
        expectProvoked(first, pair[0]);
        expectProvoked(second, pair[1]);
        if (!by.other) continue;
        expect(assistantText(first.events)).not.toContain(by.other.replies);
        expect(assistantText(second.events)).not.toContain(by.replies);
      }
      expect(one.nativeSessionId).not.toBe(two.nativeSessionId);
      expectSound(one);
      expectSound(two);
    });

    contract.feature("resume", async (by) => {
      const harness = await contract.open(by);
      expectProvoked(await promptWith(harness, by), by);
      await harness.reopen();
      await expectGoingOn(contract, harness, by.message, by.replies ?? "");
    });

    contract.feature("restored", async (by) => {
      const elsewhere = await contract.open(by);
      expectProvoked(await promptWith(elsewhere, by), by);
      await elsewhere.close();
      const harness = await contract.open(by, elsewhere.events);
      const { nativeSessionId } = harness;
      expect(nativeSessionId).not.toBe(elsewhere.nativeSessionId);
      if (by.other) expectProvoked(await promptWith(harness, by.other), by.other);
      await contract.expectUsable(harness);
      expect(harness.nativeSessionId).toBe(nativeSessionId);
      expect(assistantText(harness.events), "nothing of it is told again").not.toContain(by.replies);
      const { text } = contract.scenario.provoke;
      if (!("skip" in text)) expectModelSaw(contract.world.model, text.message, by.message, by.replies ?? "");
      expectSound(harness);
    });

    contract.feature("killedIdle", async (by) => {
      const harness = await contract.open(by);
      expectProvoked(await promptWith(harness, by), by);
      await contract.world.killPrograms();
      await expectGoingOn(contract, harness, by.message);
    });

    contract.feature("killedBusy", async (by) => {
      const harness = await contract.open(by);
      const before = by.after ?? by;
      expectProvoked(await promptWith(harness, before), before);
      const turn = promptWith(harness, by).catch((error: unknown) => error);
      await firstAgentDelta(harness);
      await contract.world.killPrograms();
      const ended = await turn;
      const couldNotBeDriven = ended instanceof SandboxError;
      if (!couldNotBeDriven) expect(ended).toMatchObject({ outcome: { reason: "error" } });
      expectSound(harness);
      if (couldNotBeDriven) await harness.reopen();
      await expectGoingOn(contract, harness, before.message);
    });

    contract.feature("killedTool", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by).catch((error: unknown) => error);
      await eventually(() => expectRunning(contract, by, true));
      await contract.world.killPrograms();
      await turn;
      await eventually(() => expectRunning(contract, by, false));
      expectSound(harness);
    });

    contract.feature("systemPromptAfterRestart", async (by) => {
      const harness = await contract.open(by);
      expectProvoked(await promptWith(harness, by), by);
      await harness.reopen();
      await expectGoingOn(contract, harness, by.message, by.modelSees ?? "", skillDescription);
    });

    contract.feature("attachmentsAfterRestart", async (by) => {
      const harness = await contract.open(by);
      expectProvoked(await promptWith(harness, by), by);
      await harness.reopen();
      await expectGoingOn(contract, harness, by.message);
      expectModelSawPaths(contract.world.model, harness, by, by.message);
      expectModelKnowsImages(contract.world.model, by);
    });

    contract.feature("alwaysAfterRestart", async (by) => {
      const harness = await contract.open(by);
      const first = promptWith(harness, by);
      await answerNextPermission(harness, "always");
      expectProvoked(await first, by);
      await forgetCreated(harness, by);
      await harness.reopen();
      expectProvoked(await promptUnasked(harness, by), by);
      expectCreated(harness, by, true);
      expectSound(harness);
    });

    contract.feature("planAfterRestart", async (by) => {
      const harness = await contract.open(by);
      const planning = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      await harness.answerQuestion(data.question_id, [[data.options[0]!]]);
      expectProvoked(await planning, by);
      await harness.reopen();
      const work = by.other ?? by;
      const building = promptWith(harness, work);
      await answerNextPermission(harness, "once");
      expectProvoked(await building, work);
      expectCreated(harness, work, true);
      expectSound(harness);
    });

    describeChangedSettings(contract);

    contract.feature("sessionEnd", async (by) => {
      const harness = await contract.open(by);
      const { outcome, events } = await promptWith(harness, by);
      expect(outcome.sessionEnded).toMatchObject({ terminated_by: "agent" });
      expect(events.slice(-2).map(({ type }) => type)).toEqual(["turn.ended", "session.ended"]);
      expect(eventsOf(events, "session.ended")).toHaveLength(1);
      expectSound(harness);
    });
  });
}

/** The settings that a conversation is opened with the next time hold from then on, and it is still the same. */
function describeChangedSettings(contract: AgentContract): void {
  contract.feature("modelChange", async (by) => {
    const { model } = contract.world;
    const harness = await contract.open(by);
    expectProvoked(await promptWith(harness, by), by);
    const { nativeSessionId } = harness;
    const next = by.other ?? by;
    await harness.reopen(next.session);
    expectProvoked(await promptWith(harness, next), next);
    expect(harness.nativeSessionId).toBe(nativeSessionId);
    expectModelSaw(model, next.message, by.message);
    if (model) {
      const [before, after] = [by, next].map(({ message }) => requestsAbout(model, message)[0]!.model);
      expect(after).not.toBe(before);
      expect(next.session?.model, "the model, maybe with its provider").toContain(after);
      const soFar = requestsAbout(model, by.message).length;
      await harness.reopen({ model: null });
      await contract.expectUsable(harness);
      const again = requestsAbout(model, by.message).slice(soFar);
      expect(
        again.map((request) => request.model),
        "its own model again",
      ).toContain(before);
    }
    expectSound(harness);
  });

  contract.feature("permissionModeChange", async (by) => {
    const harness = await contract.open(by);
    const asked = promptWith(harness, by);
    await answerNextPermission(harness, "once");
    expectProvoked(await asked, by);
    await forgetCreated(harness, by);

    await harness.reopen({ permissionMode: "bypass" });
    expectProvoked(await promptUnasked(harness, by), by);
    expectCreated(harness, by, true);
    await forgetCreated(harness, by);

    await harness.reopen({ permissionMode: "default" });
    const askedAgain = promptWith(harness, by);
    await answerNextPermission(harness, "reject");
    await askedAgain;
    expectCreated(harness, by, false);
    expectSound(harness);
  });

  contract.feature("planAgain", async (by) => {
    const harness = await contract.open(by);
    const planning = promptWith(harness, by);
    const { data } = await harness.next("question.requested");
    await harness.answerQuestion(data.question_id, [[data.options[0]!]]);
    expectProvoked(await planning, by);
    expect(harness.permissionMode, "the agent told that it left plan mode").toBe("default");
    await harness.reopen(by.session);
    const next = by.other ?? by;
    const planningAgain = promptWith(harness, next);
    const again = await harness.next("question.requested");
    await harness.answerQuestion(again.data.question_id, [[again.data.options[0]!]]);
    expectProvoked(await planningAgain, next);
    expectSound(harness);
  });
}

async function forgetCreated(harness: AgentHarness, { creates }: ProvokingMessage): Promise<void> {
  if (creates !== undefined) await rm(join(harness.directory, creates));
}

/** The same conversation answers, under the same id, and the model is told what was said in the beginning. */
async function expectGoingOn(contract: AgentContract, harness: AgentHarness, ...said: string[]): Promise<void> {
  const nativeIds = new Set(harness.events.flatMap((event) => event.native_session_id ?? []));
  await contract.expectUsable(harness);
  expect([...nativeIds]).toEqual([harness.nativeSessionId]);
  const { text } = contract.scenario.provoke;
  if (!("skip" in text)) expectModelSaw(contract.world.model, text.message, ...said);
}
