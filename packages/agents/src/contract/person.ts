import type { PermissionReply, QuestionRequestedData } from "@sandbox-agent/protocol";
import { expect } from "vitest";
import type { AgentHarness } from "./agent-harness.ts";

/** Wait until the agent asks, look around, and answer. */
export async function answerNextPermission(
  harness: AgentHarness,
  reply: PermissionReply,
  beforehand: () => void = () => {},
): Promise<void> {
  const { data } = await harness.next("permission.requested");
  expect(data.action).not.toBe("");
  beforehand();
  await harness.answerPermission(data.permission_id, reply);
}

/** Whatever the agent asks to be permitted until the turn is over, the answer is no. */
export async function rejectEverything(harness: AgentHarness, turn: Promise<unknown>): Promise<void> {
  const ended = turn.then(() => null);
  for (;;) {
    const asked = await Promise.race([harness.next("permission.requested").catch(() => null), ended]);
    if (asked === null) return;
    await harness.answerPermission(asked.data.permission_id, "reject");
  }
}

/** The first label of each question, or all of them where several may be chosen. */
export function allLabels({ questions, options }: QuestionRequestedData): string[][] {
  if (!questions) return [options.slice(0, 1)];
  return questions.map((question) => {
    const labels = question.options.map((option) => option.label);
    return question.multi_select ? labels : labels.slice(0, 1);
  });
}

/** Readers that know only one question per request read `prompt` and `options`. */
export function expectFirstQuestionRepeated({ prompt, options, questions }: QuestionRequestedData): void {
  const first = questions?.[0];
  if (!first) return;
  expect(prompt).toBe(first.prompt);
  expect(options).toEqual(first.options.map((option) => option.label));
}
