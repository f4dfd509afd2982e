import type { Question } from "@sandbox-agent-ts/protocol";
import type { AcpToolCall } from "../../acp/dialect.ts";
import { describeTool } from "./describe-tool.ts";

interface QwenQuestion {
  readonly header?: string;
  readonly question?: string;
  readonly options?: readonly { readonly label?: string; readonly description?: string }[];
  readonly multiSelect?: boolean;
}

/** Qwen Code asks its questions as the permission to use a tool, whose input they are. */
export function readQuestions(call: AcpToolCall): readonly Question[] | undefined {
  if (describeTool(call).name !== "ask_user_question") return undefined;
  const { questions } = (call.rawInput ?? {}) as { questions?: unknown };
  return Array.isArray(questions) ? questions.map((question: QwenQuestion) => readQuestion(question)) : undefined;
}

function readQuestion({ header, question = "", options = [], multiSelect }: QwenQuestion): Question {
  return {
    ...(header ? { header } : {}),
    prompt: question,
    options: options.map(({ label = "", description }) => ({ label, ...(description ? { description } : {}) })),
    multi_select: multiSelect === true,
  };
}

/** It wants to hear a text for the number of each question. */
export function tellAnswers(answers: readonly (readonly string[])[]): object {
  return { answers: Object.fromEntries(answers.map((labels, at) => [`${at}`, labels.join(", ")])) };
}
