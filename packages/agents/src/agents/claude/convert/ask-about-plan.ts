import type { QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import { planQuestion } from "../../../questions/plan-question.ts";
import { questionData } from "../../../questions/question-data.ts";
import type { ToolAsk } from "../dialect.ts";

/** `ExitPlanMode`: may the plan be carried out? */
export function askAboutPlan(questionId: string, { input }: Partial<ToolAsk>): QuestionRequestedData {
  const plan = input?.plan;
  return questionData(questionId, [planQuestion(typeof plan === "string" ? plan : undefined)]);
}
