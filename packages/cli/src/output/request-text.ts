import type {
  PermissionRequestedEvent,
  PermissionResolvedData,
  Question,
  QuestionRequestedEvent,
  QuestionResolvedData,
} from "@sandbox-agent-ts/sdk";
import { shellQuote } from "./shell-quote.ts";

const MAX_DIFF_LINES = 12;

/** What the agent asks to do, and how to decide. */
export function permissionText({ data, session_id }: PermissionRequestedEvent, showsCommand: boolean): string[] {
  const diff = data.diff ? data.diff.trimEnd().split("\n") : [];
  const shown = diff.slice(0, MAX_DIFF_LINES).map((line) => `    ${line}`);
  const left = diff.length > MAX_DIFF_LINES ? [`    … ${diff.length - MAX_DIFF_LINES} more lines`] : [];
  const command = `sandbox-agent sessions reply-permission ${shellQuote(session_id)} ${shellQuote(data.permission_id)}`;
  const answer = showsCommand ? [`  Answer with: ${command} --reply once|always|reject`] : [];
  return [`? Permission wanted: ${data.action}`, ...shown, ...left, ...answer];
}

const replies = { once: "allowed once", always: "allowed for the rest of the session", reject: "refused" } as const;

export function resolvedPermissionText(data: PermissionResolvedData): string {
  const { status, reply, action, reason, resolved_by } = data;
  const isApproved = status === "approved";
  const how = reply ? replies[reply] : isApproved ? "allowed" : "refused";
  const who = resolved_by && resolved_by !== "person" ? ` by the ${resolvers[resolved_by]}` : "";
  return `${isApproved ? "✓" : "✗"} ${action}: ${how}${who}${reason ? ` (${reason})` : ""}`;
}

const resolvers = {
  policy: "policy",
  remembered: "answer given before",
  timeout: "timeout",
  agent: "agent",
  daemon: "daemon",
} as const;

/** What the agent asks, with its options, and how to answer. */
export function questionText({ data, session_id }: QuestionRequestedEvent, showsCommand: boolean): string[] {
  const questions: readonly Question[] = data.questions ?? [
    { prompt: data.prompt, options: data.options.map((label) => ({ label })), multi_select: false },
  ];
  const asked = questions.flatMap(({ prompt, options, multi_select }) => [
    `? ${prompt}${multi_select ? " (several may be chosen)" : ""}`,
    ...options.map((option) => `    ${option.label}${describe(option)}`),
  ]);
  const labels = questions.map(({ options }) => `--answer ${shellQuote(options[0]?.label ?? "…")}`).join(" ");
  const request = `${shellQuote(session_id)} ${shellQuote(data.question_id)}`;
  const answer = `  Answer with: sandbox-agent sessions reply-question ${request} ${labels}`;
  return showsCommand ? [...asked, answer] : asked;
}

function describe({ description }: Question["options"][number]): string {
  return description ? ` – ${description}` : "";
}

export function resolvedQuestionText({ status, response, answers }: QuestionResolvedData): string {
  if (status === "rejected") return "✗ declined to answer";
  return `✓ ${answers?.map((labels) => labels.join(", ")).join("; ") ?? response ?? "answered"}`;
}
