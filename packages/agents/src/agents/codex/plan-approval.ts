import type { EventDraft } from "@sandbox-agent/protocol";
import { questionData } from "./convert/requests.ts";

export type PlanDecision = "approve" | "reject" | "interrupted";

const APPROVE = "Approve";
const REJECT = "Reject";

/** Codex leaves it to its user interface to ask what becomes of a plan. */
export function planQuestion(questionId: string, plan: string): EventDraft {
  const options = [
    { label: APPROVE, description: "Leave plan mode and carry the plan out" },
    { label: REJECT, description: "Stay in plan mode; the next message says what to change" },
  ];
  const question = { header: "Plan", prompt: `Carry out this plan?\n\n${plan}`, options, multi_select: false };
  return { type: "question.requested", data: questionData(questionId, [question]), source: "daemon", synthetic: true };
}

export function planDecision(answers: readonly (readonly string[])[] | null): PlanDecision {
  return answers?.[0]?.[0] === APPROVE ? "approve" : "reject";
}
