import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { approvesPlan, planFeedback, planQuestion } from "../../questions/plan-question.ts";
import { questionData } from "../../questions/question-data.ts";

export type PlanDecision = "approve" | "reject" | "interrupted" | { readonly feedback: string };

/** Codex leaves it to its user interface to ask what becomes of a plan. */
export function askAboutPlan(questionId: string, plan: string): EventDraft {
  const data = questionData(questionId, [planQuestion(plan)], { plan });
  return { type: "question.requested", data, source: "daemon", synthetic: true };
}

export function planDecision(answers: readonly (readonly string[])[] | null): PlanDecision {
  if (approvesPlan(answers)) return "approve";
  const feedback = planFeedback(answers);
  return feedback === undefined ? "reject" : { feedback };
}
