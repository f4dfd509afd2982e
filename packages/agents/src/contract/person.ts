import type { EventOf, PermissionReply, QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { promptWith } from "./agent-contract.ts";
import type { AgentHarness, HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { expectAboutCall } from "./expect-request.ts";

/** Wait until the agent asks, look around, and answer. */
export async function answerNextPermission(
  harness: AgentHarness,
  reply: PermissionReply,
  beforehand: () => void = () => {},
): Promise<void> {
  const { data } = await harness.next("permission.requested");
  expectAboutCall(harness, data);
  beforehand();
  await harness.answerPermission(data.permission_id, reply);
}

/** A turn in which nobody is asked for permission; fails as soon as somebody is. */
export async function promptUnasked(harness: AgentHarness, by: ProvokingMessage): Promise<HarnessTurn> {
  const turn = promptWith(harness, by);
  turn.catch(() => {});
  const asked = await Promise.race([harness.next("permission.requested").catch(() => null), turn.then(() => null)]);
  expect(asked, "nobody is asked").toBeNull();
  return turn;
}

/** Whatever the agent asks to be permitted until the turn is over, the answer is no. */
export function rejectEverything(harness: AgentHarness, turn: Promise<unknown>): Promise<void> {
  return answerEverything(harness, turn, () => "reject");
}

/** Until the turn is over. */
export async function answerEverything(
  harness: AgentHarness,
  turn: Promise<unknown>,
  decide: (asked: EventOf<"permission.requested">) => PermissionReply,
): Promise<void> {
  const ended = turn.then(() => null);
  for (;;) {
    const asked = await Promise.race([harness.next("permission.requested").catch(() => null), ended]);
    if (asked === null) return;
    await harness.answerPermission(asked.data.permission_id, decide(asked));
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
