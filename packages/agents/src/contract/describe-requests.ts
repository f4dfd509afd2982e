import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import { describeBoundaries } from "./describe-boundaries.ts";
import { expectCreated, expectLeft, expectModelSaw, expectProvoked, expectUntouched } from "./expect-provoked.ts";
import { expectRequest } from "./expect-request.ts";
import {
  allLabels,
  answerNextPermission,
  expectFirstQuestionRepeated,
  promptUnasked,
  rejectEverything,
} from "./person.ts";
import { eventsOf } from "./stream-readers.ts";

/** The agent asks a person, waits, and goes on with what it was told. */
export function describeRequests(contract: AgentContract): void {
  describePermissions(contract);
  describeAskedUses(contract);
  describeQuestions(contract);
  describePlans(contract);
  describeBoundaries(contract);
}

function describePermissions(contract: AgentContract): void {
  describe("may or may not, and", () => {
    contract.feature("permissionOnce", async (by) => {
      const harness = await contract.open(by);
      for (let time = 0; time < 2; time += 1) {
        const turn = promptWith(harness, by);
        await answerNextPermission(harness, "once", () => expectCreated(harness, by, time > 0));
        expectProvoked(await turn, by);
        expectCreated(harness, by, true);
      }
      expectSound(harness);
    });

    contract.feature("permissionAlways", async (by) => {
      const harness = await contract.open(by);
      const first = promptWith(harness, by);
      await answerNextPermission(harness, "always");
      expectProvoked(await first, by);
      expectCreated(harness, by, true);
      await expectUntouched(harness, by);

      if (by.creates !== undefined) await rm(join(harness.directory, by.creates));
      expectProvoked(await promptUnasked(harness, by), by);
      expectCreated(harness, by, true);

      if (by.other) {
        const another = promptWith(harness, by.other);
        await answerNextPermission(harness, "reject");
        expectProvoked(await another, by.other);
        expectCreated(harness, by.other, false);
      }
      expectSound(harness);
    });

    contract.feature("permissionReject", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      await answerNextPermission(harness, "reject");
      expectProvoked(await turn, by);
      expectCreated(harness, by, false);
      expectSound(harness);
      await contract.expectUsable(harness);
    });

    for (const name of ["acceptEdits", "bypass"] as const) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        expectProvoked(await promptUnasked(harness, by), by);
        expectCreated(harness, by, true);
        expectSound(harness);
      });
    }
  });
}

const because = "The keeper is asleep.";

/** What the request says, and what becomes of the answer. */
function describeAskedUses(contract: AgentContract): void {
  describe("says what it wants to do, and", () => {
    contract.feature("permissionReason", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("permission.requested");
      await harness.answerPermission(data.permission_id, "reject", because);
      expectProvoked(await turn, by);
      expectCreated(harness, by, false);
      expectModelSaw(contract.world.model, by.message, because);
      expectSound(harness);
    });

    contract.feature("permissionAlwaysFile", async (by) => {
      const harness = await contract.open(by);
      const first = promptWith(harness, by);
      await answerNextPermission(harness, "always");
      expectProvoked(await first, by);
      expectCreated(harness, by, true);
      const second = promptWith(harness, by.other!);
      await answerNextPermission(harness, "reject");
      expectProvoked(await second, by.other!);
      expectCreated(harness, by.other!, false);
      expectSound(harness);
    });

    contract.feature("permissionRemembered", async (by) => {
      const harness = await contract.open(by);
      const first = promptWith(harness, by);
      await answerNextPermission(harness, "always");
      expectProvoked(await first, by);
      const { events } = await promptUnasked(harness, by);
      const [told, ...more] = eventsOf(events, "permission.resolved");
      expect(more).toEqual([]);
      expect(told?.data).toMatchObject({ resolved_by: "remembered", status: "approved", reply: "always" });
      expectRequest(harness, told!.data, by.requests);
      expectSound(harness);
    });

    for (const name of ["permissionEdit", "permissionExecute", "permissionMcp"] as const) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = promptWith(harness, by);
        const { data } = await harness.next("permission.requested");
        expectRequest(harness, data, by.requests);
        await harness.answerPermission(data.permission_id, "once");
        expectProvoked(await turn, by);
        expectCreated(harness, by, true);
        await expectLeft(harness, by);
        expectSound(harness);
      });
    }

    for (const name of ["permissionDelete", "permissionMove", "permissionFetch", "policyRead", "policyMcp"] as const) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = promptWith(harness, by);
        const { data } = await harness.next("permission.requested");
        expectRequest(harness, data, by.requests);
        await harness.answerPermission(data.permission_id, "reject");
        expectProvoked(await turn, by);
        for (const file of Object.keys(by.files ?? {})) expect(existsSync(join(harness.directory, file))).toBe(true);
        expectSound(harness);
      });
    }
  });
}

function describeQuestions(contract: AgentContract): void {
  describe("wants to know, and", () => {
    contract.feature("questionAnswer", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      expectFirstQuestionRepeated(data);
      expect(JSON.stringify(data)).toContain(by.asks ?? "");
      const answers = allLabels(data);
      await harness.answerQuestion(data.question_id, answers);
      expectProvoked(await turn, by);
      expectModelSaw(contract.world.model, by.message, ...answers.flat());
      expectSound(harness);
    });

    contract.feature("questionReject", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      await harness.answerQuestion(data.question_id, null);
      expectProvoked(await turn, by);
      expectSound(harness);
      await contract.expectUsable(harness);
    });
  });
}

function describePlans(contract: AgentContract): void {
  describe("plans, and", () => {
    contract.feature("planReadOnly", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      await rejectEverything(harness, turn);
      expectProvoked(await turn, by);
      expectCreated(harness, by, false);
      expectSound(harness);
    });

    for (const [name, choice] of [
      ["planApprove", 0],
      ["planReject", 1],
    ] as const) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = promptWith(harness, by);
        const { data } = await harness.next("question.requested");
        expect(JSON.stringify(data)).toContain(by.asks ?? "");
        expect(data.options.length, "approve and reject").toBeGreaterThanOrEqual(2);
        await harness.answerQuestion(data.question_id, [[data.options[choice]!]]);
        expectProvoked(await turn, by);
        expectSound(harness);
        await contract.expectUsable(harness);
      });
    }
  });
}
