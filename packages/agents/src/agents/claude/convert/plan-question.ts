import type { QuestionRequestedData } from "@sandbox-agent/protocol";
import type { ToolAsk } from "../dialect.ts";

const approve = { label: "Approve", description: "Carry out the plan" };
const reject = { label: "Reject", description: "Keep planning" };

/** `ExitPlanMode`: may the plan be carried out? */
export function planQuestion(questionId: string, ask: Partial<ToolAsk>): QuestionRequestedData {
  const plan = ask.input?.plan;
  const prompt = typeof plan === "string" && plan !== "" ? `Carry out this plan?\n\n${plan}` : "Leave plan mode?";
  const question = { header: "Plan", prompt, multi_select: false, options: [approve, reject] };
  const options = question.options.map(({ label }) => label);
  return { question_id: questionId, prompt, options, questions: [question], status: "requested" };
}

export function approvesPlan(answers: readonly (readonly string[])[]): boolean {
  return answers[0]?.[0]?.trim().toLowerCase() === approve.label.toLowerCase();
}

/** What the person said instead of approving, in words of their own. */
export function planFeedback(answers: readonly (readonly string[])[]): string | undefined {
  const said = answers.flat().join(", ").trim();
  return said === "" || said.toLowerCase() === reject.label.toLowerCase() ? undefined : said;
}
