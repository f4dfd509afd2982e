import type { Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";

/** Several questions in one request; the first of them stands in front, for readers that know only one. */
export function questionData(id: string, questions: readonly Question[]): QuestionRequestedData {
  const { prompt = "", options = [] } = questions[0] ?? {};
  const labels = options.map(({ label }) => label);
  return { question_id: id, prompt, options: labels, questions: [...questions], status: "requested" };
}
