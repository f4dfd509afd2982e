import type { Question, QuestionRequestedData } from "../api-types.ts";

/**
 * What is chosen: a label for the first question, one label per question, several labels per question, or a function that
 * is asked once for each question.
 */
export type AnswerChoice =
  | string
  | readonly (string | readonly string[])[]
  | ((question: Question, index: number) => string | readonly string[] | null | undefined);

/** The `answers` of a reply: one array of labels for every question of the request; a question without a choice has none. */
export function answersFor(request: QuestionRequestedData, choice: AnswerChoice): string[][] {
  return questionsOf(request).map((question, index) => {
    const chosen = typeof choice === "function" ? choice(question, index) : (asList(choice)[index] ?? []);
    return [...asList(chosen ?? [])];
  });
}

/** All questions of a request; a daemon before 0.2 may tell only the first. */
function questionsOf({ questions, prompt, options }: QuestionRequestedData): readonly Question[] {
  if (questions && questions.length > 0) return questions;
  return [{ prompt, options: options.map((label) => ({ label })), multi_select: false }];
}

function asList<T>(value: string | readonly T[]): readonly (T | string)[] {
  return typeof value === "string" ? [value] : value;
}
