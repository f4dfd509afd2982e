import type { Question, QuestionRequestedData, QuestionResolvedData } from "@sandbox-agent-ts/protocol";

/** What a question is about, beside its text. */
export interface QuestionAbout {
  /** The plan that is to be approved; an empty text where the agent does not tell it. */
  readonly plan?: string | undefined;
  readonly callId?: string | undefined;
  readonly itemId?: string | undefined;
}

/** Several questions in one request; the first of them stands in front, for readers that know only one. */
export function questionData(
  id: string,
  questions: readonly Question[],
  { plan, callId, itemId }: QuestionAbout = {},
): QuestionRequestedData {
  const { prompt = "", options = [] } = questions[0] ?? {};
  return {
    question_id: id,
    kind: plan === undefined ? "question" : "plan",
    ...(plan ? { plan } : {}),
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(itemId === undefined ? {} : { item_id: itemId }),
    prompt,
    options: options.map(({ label }) => label),
    questions: [...questions],
    status: "requested",
  };
}

/** The agent does not wait for the answer any more. */
export function withdrawnQuestion(asked: QuestionRequestedData): QuestionResolvedData {
  return { ...asked, status: "rejected", resolved_by: "agent" };
}
