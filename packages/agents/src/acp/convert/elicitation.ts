import type { Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import type { AcpElicitation, AcpFormField } from "../dialect.ts";
import type { OpenRequest } from "./acp-state.ts";

type Fields = Extract<OpenRequest, { type: "question" }>["fields"];

export interface AskedForm {
  readonly data: QuestionRequestedData;
  readonly fields: Fields;
}

/** A form as questions, one for each field. Only forms: nobody here can open a page for the agent. */
export function readForm(id: string, { mode, message = "", requestedSchema }: AcpElicitation): AskedForm | undefined {
  if (mode !== undefined && mode !== "form") return undefined;
  const entries = Object.entries(requestedSchema?.properties ?? {});
  const fields = entries.map(([name, field]) => ({ name, type: field.type ?? "string", values: valuesOf(field) }));
  const [first = question(message, new Map(), false), ...rest] = entries.map(([name, field], at) => {
    const about = field.title ?? field.description ?? name;
    return question(`${message}\n${about}`.trim(), fields[at]!.values, field.type === "array");
  });
  const options = first.options.map(({ label }) => label);
  const data = {
    question_id: id,
    prompt: first.prompt,
    options,
    questions: [first, ...rest],
    status: "requested",
  } as const;
  return { data: { ...data, questions: [...data.questions] }, fields };
}

function question(prompt: string, values: ReadonlyMap<string, string>, multi_select: boolean): Question {
  return { prompt, options: [...values.keys()].map((label) => ({ label })), multi_select };
}

/** What people choose from, and what the agent wants to hear for it. */
function valuesOf({ type, enum: plain, oneOf, items }: AcpFormField): ReadonlyMap<string, string> {
  const titled = oneOf ?? items?.anyOf;
  if (titled) return new Map(titled.map(({ const: value = "", title }) => [title || value, value]));
  const values = plain ?? items?.enum ?? (type === "boolean" ? ["Yes", "No"] : []);
  return new Map(values.map((value) => [value, value]));
}

export const formCancelled = { action: "cancel" };

/** Answers as the agent wants to hear them; `null` is a person who declined. */
export function formAnswer(fields: Fields, answers: readonly (readonly string[])[] | null): object {
  if (answers === null) return { action: "decline" };
  const content = fields.flatMap(({ name, type, values }, at) => {
    const given = (answers[at] ?? []).map((label) => values.get(label) ?? label);
    return given.length === 0 && type !== "array" ? [] : [[name, formValue(type, given)]];
  });
  return { action: "accept", content: Object.fromEntries(content) };
}

function formValue(type: string, given: readonly string[]): unknown {
  const text = given.join(", ");
  if (type === "array") return given;
  if (type === "boolean") return text === "Yes" || text === "true";
  return type === "number" || type === "integer" ? Number(text) : text;
}
