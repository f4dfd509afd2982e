import type { PermissionReply, QuestionRequestedData } from "@sandbox-agent/protocol";
import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import { provokedTest } from "./provoked-test.ts";

const replies: readonly PermissionReply[] = ["once", "always", "reject"];

/** The agent asks a person, waits, and goes on with what it was told. */
export function describeRequests(contract: AgentContract): void {
  const { permission, question } = contract.scenario.provoke;

  describe("asks a person", () => {
    for (const reply of replies) {
      provokedTest(`for permission, and goes on after "${reply}"`, permission, async (by) => {
        const harness = await contract.open(by.session);
        const turn = promptWith(harness, by);
        const { data } = await harness.next("permission.requested");
        expect(data.action).not.toBe("");
        await harness.answerPermission(data.permission_id, reply);
        expect((await turn).outcome.reason).toBe("completed");
        expectSound(harness);
      });
    }

    provokedTest("a question, and goes on with the answers", question, async (by) => {
      const harness = await contract.open(by.session);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      expectFirstQuestionRepeated(data);
      await harness.answerQuestion(data.question_id, firstLabels(data));
      expect((await turn).outcome.reason).toBe("completed");
      expectSound(harness);
    });

    provokedTest("a question, and goes on when it is declined", question, async (by) => {
      const harness = await contract.open(by.session);
      const turn = promptWith(harness, by);
      const { data } = await harness.next("question.requested");
      await harness.answerQuestion(data.question_id, null);
      expect((await turn).outcome.reason).toBe("completed");
      expectSound(harness);
    });
  });
}

function firstLabels({ questions, options }: QuestionRequestedData): string[][] {
  const labels = questions?.map((question) => question.options.map((option) => option.label)) ?? [options];
  return labels.map((all) => all.slice(0, 1));
}

/** Readers that know only one question per request read `prompt` and `options`. */
function expectFirstQuestionRepeated({ prompt, options, questions }: QuestionRequestedData): void {
  const first = questions?.[0];
  if (!first) return;
  expect(prompt).toBe(first.prompt);
  expect(options).toEqual(first.options.map((option) => option.label));
}
