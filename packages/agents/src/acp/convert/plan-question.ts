import type { QuestionRequestedData } from "@sandbox-agent/protocol";
import type { AcpToolCall } from "../dialect.ts";
import type { AcpSetting } from "./acp-state.ts";
import { questionData } from "./question-data.ts";
import { textOf } from "./tool-view.ts";

const approve = { label: "Approve", description: "Carry out the plan" };
const reject = { label: "Reject", description: "Keep planning" };

/** A tool that leaves plan mode asks whether the plan may be carried out: that is a question, and not a permission. */
export function planQuestion(id: string, call: AcpToolCall, { quirks }: AcpSetting): QuestionRequestedData {
  const plan = quirks.describeTool?.(call).plan ?? planOf(call);
  const prompt = plan ? `Carry out this plan?\n\n${plan}` : (call.title ?? "Leave plan mode?");
  return questionData(id, [{ header: "Plan", prompt, options: [approve, reject], multi_select: false }]);
}

function planOf({ content, rawInput }: AcpToolCall): string | undefined {
  const { plan } = (rawInput ?? {}) as { plan?: unknown };
  if (typeof plan === "string") return plan;
  return (content ?? []).flatMap((part) => textOf(part, new Map())).join("\n");
}

export function approvesPlan(answers: readonly (readonly string[])[] | null): boolean {
  return answers?.[0]?.[0] === approve.label;
}
