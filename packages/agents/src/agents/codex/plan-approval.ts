import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { approvesPlan, planQuestion } from "../../questions/plan-question.ts";
import { questionData } from "../../questions/question-data.ts";

export type PlanDecision = "approve" | "reject" | "interrupted";

/** Codex leaves it to its user interface to ask what becomes of a plan. */
export function askAboutPlan(questionId: string, plan: string): EventDraft {
  const data = questionData(questionId, [planQuestion(plan)], { plan });
  return { type: "question.requested", data, source: "daemon", synthetic: true };
}

export function planDecision(answers: readonly (readonly string[])[] | null): PlanDecision {
  return approvesPlan(answers) ? "approve" : "reject";
}
