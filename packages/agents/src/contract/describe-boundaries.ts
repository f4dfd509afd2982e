import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { expectCreated, expectModelSaw, expectProvoked } from "./expect-provoked.ts";
import { answerEverything, answerNextPermission, rejectEverything } from "./person.ts";
import { completedItems, eventsOf } from "./stream-readers.ts";

/** What was allowed goes so far and no further, nobody but the user of the session allows more, and a "no" is heard. */
export function describeBoundaries(contract: AgentContract): void {
  describe("stays within what was allowed, and", () => {
    contract.feature("alwaysOnlyThat", async (by) => {
      const harness = await contract.open(by);
      const first = promptWith(harness, by);
      await answerNextPermission(harness, "always");
      expectProvoked(await first, by);
      await harness.reopen();
      const other = by.other ?? by;
      const another = promptWith(harness, other);
      await answerNextPermission(harness, "reject");
      expectProvoked(await another, other);
      expectCreated(harness, other, false);
      expectSound(harness);
    });

    contract.feature("acceptEditsOutside", async (by) => {
      for (const one of [by, by.other ?? []].flat()) {
        const harness = await contract.open(one);
        const outside = `${harness.directory}-outside`;
        await mkdir(outside);
        await symlink(outside, join(harness.directory, "link"));
        const turn = promptWith(harness, one);
        await rejectEverything(harness, turn);
        expectProvoked(await turn, one);
        expect(await readdir(outside)).toEqual([]);
        expectCreated(harness, one, false);
        expectSound(harness);
      }
    });

    contract.feature("subagentAsks", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      const isAbout = (data: object) => JSON.stringify(data).includes(by.creates!);
      await answerEverything(harness, turn, ({ data }) => (isAbout(data) ? "reject" : "once"));
      const { events } = await turn;
      const wasAsked = eventsOf(events, "permission.requested").some(({ data }) => isAbout(data));
      const wasRefused = completedItems(events).some(
        ({ kind, status }) => kind === "tool_result" && status === "failed",
      );
      expect(wasAsked || wasRefused, "the subagent tried").toBe(true);
      expectCreated(harness, by, false);
      expectSound(harness);
    });

    contract.feature("planFeedback", async (by) => {
      const harness = await contract.open(by);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      await harness.answerQuestion(data.question_id, [["Take limestone instead."]]);
      expectProvoked(await turn, by);
      expectModelSaw(contract.world.model, by.message, "Take limestone instead.");
      expectSound(harness);
    });

    for (const name of ["planDespiteSettings", "planDespiteMode"] as const) {
      contract.feature(name, async (by) => {
        for (const one of [by, by.other ?? []].flat()) {
          await expectRefused(contract, one);
        }
      });
    }

    contract.feature("untrustedSettings", async (by) => {
      await expectRefused(contract, by);
    });
  });
}

/** A person who rejects everything is obeyed. An agent that cannot be kept to it is not let begin, and somebody told why. */
async function expectRefused(contract: AgentContract, by: ProvokingMessage): Promise<void> {
  const opened = await contract.open(by).catch(expectDenied);
  if (!opened) return;
  const turn = promptWith(opened, by).catch(expectDenied);
  await rejectEverything(opened, turn);
  const ended = await turn;
  if (ended) expectProvoked(ended, by);
  expectCreated(opened, by, false);
  expectSound(opened);
}

function expectDenied(error: unknown): void {
  expect(error).toMatchObject({ code: "permission_denied" });
}
