import { UsageError } from "../usage-error.ts";
import { type ApiCommand, type Argument, sessionId } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";

const questionId: Argument = { name: "question-id", description: "`question_id` of its question.requested event" };
const permissionId: Argument = {
  name: "permission-id",
  description: "`permission_id` of its permission.requested event",
};
const replies = ["once", "always", "reject"] as const;
const replySentences = {
  once: "Allowed once.",
  always: "Allowed for the rest of the session.",
  reject: "Refused.",
} as const;

export const requestCommands: readonly ApiCommand[] = [
  {
    route: "replyQuestion",
    words: ["sessions", "reply-question"],
    summary: "Answer a question of the agent",
    arguments: [sessionId, questionId],
    flags: [
      { name: "answer", value: "label", multiple: true, description: "the chosen option; once per question, in order" },
      { name: "answers", value: "json", description: "all answers, for questions with several choices" },
    ],
    examples: [
      "sessions reply-question demo q1 --answer Blue",
      `sessions reply-question demo q1 --answers '[["Blue"],["Tests","Docs"]]'`,
    ],
    run: async ({ client, input, out }) => {
      const answers = answersOf(input);
      await client.replyQuestion(input.argument("session-id"), input.argument("question-id"), { answers });
      await out.done(`Answered: ${answers.map((labels) => labels.join(", ")).join("; ")}.`);
    },
  },
  {
    route: "rejectQuestion",
    words: ["sessions", "reject-question"],
    summary: "Decline to answer a question",
    arguments: [sessionId, questionId],
    examples: ["sessions reject-question demo q1"],
    run: async ({ client, input, out }) => {
      await client.rejectQuestion(input.argument("session-id"), input.argument("question-id"));
      await out.done("Declined to answer.");
    },
  },
  {
    route: "replyPermission",
    words: ["sessions", "reply-permission"],
    summary: "Allow or refuse what the agent asks for",
    arguments: [sessionId, permissionId],
    flags: [
      { name: "reply", value: "reply", choices: replies, required: true, description: "the decision" },
      { name: "reason", value: "text", description: "why it is rejected, for the model" },
    ],
    examples: [
      "sessions reply-permission demo p1 --reply once",
      `sessions reply-permission demo p1 --reply reject --reason "Use pnpm instead."`,
    ],
    run: async ({ client, input, out }) => {
      const reply = replies.find((known) => known === input.text("reply")) ?? "reject";
      const request = { reply, ...defined({ reason: input.text("reason") }) };
      await client.replyPermission(input.argument("session-id"), input.argument("permission-id"), request);
      await out.done(replySentences[reply]);
    },
  },
];

function answersOf(input: CommandInput): string[][] {
  const json = input.text("answers");
  const labels = input.list("answer");
  if ((json === undefined) === (labels.length === 0)) throw new UsageError("Give either --answer or --answers.");
  if (json === undefined) return labels.map((label) => [label]);
  const answers = parseAnswers(json);
  if (answers === undefined) throw new UsageError(`--answers must look like [["A"],["B","C"]], not ${json}`);
  return answers;
}

function parseAnswers(json: string): string[][] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every(isLabels) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLabels(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((label) => typeof label === "string");
}
