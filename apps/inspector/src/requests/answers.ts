import type { Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";

/** What a person has chosen so far for one question. */
export interface Choice {
  readonly labels: readonly string[];
  /** Words of their own, instead of or beside the labels. */
  readonly other: string;
}

export const noChoice: Choice = { labels: [], other: "" };

/** The questions of a request; an old one has only the first. */
export function questionsOf({ questions, prompt, options }: QuestionRequestedData): readonly Question[] {
  if (questions && questions.length > 0) return questions;
  return [{ prompt, options: options.map((label) => ({ label })), multi_select: false }];
}

/** With one answer allowed the new label takes the place of the old and of the own words. */
export function toggleLabel(choice: Choice, label: string, { multi_select }: Question): Choice {
  if (!multi_select) return { labels: [label], other: "" };
  const isOn = choice.labels.includes(label);
  return { ...choice, labels: isOn ? choice.labels.filter((it) => it !== label) : [...choice.labels, label] };
}

export function writeOther(choice: Choice, other: string, { multi_select }: Question): Choice {
  return multi_select || other === "" ? { ...choice, other } : { labels: [], other };
}

export function isAnswered({ labels, other }: Choice): boolean {
  return labels.length > 0 || other.trim() !== "";
}

/** One list per question, in the order its options were given, own words last. */
export function answersOf(questions: readonly Question[], choices: readonly Choice[]): string[][] {
  return questions.map(({ options }, at) => {
    const { labels, other } = choices[at] ?? noChoice;
    const chosen = options.map(({ label }) => label).filter((label) => labels.includes(label));
    return other.trim() === "" ? chosen : [...chosen, other.trim()];
  });
}
