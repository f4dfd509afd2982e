import type { QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import { planQuestion } from "../../questions/plan-question.ts";
import { questionData } from "../../questions/question-data.ts";
import type { AcpToolCall } from "../dialect.ts";
import type { AcpSetting } from "./acp-state.ts";
import { textOf } from "./tool-view.ts";

/** A tool that leaves plan mode asks whether the plan may be carried out: that is a question, and not a permission. */
export function askAboutPlan(
  id: string,
  call: AcpToolCall,
  { quirks }: AcpSetting,
  itemId: string | undefined,
): QuestionRequestedData {
  const plan = quirks.describeTool?.(call).plan ?? planOf(call);
  return questionData(id, [planQuestion(plan, call.title ?? undefined)], {
    plan: plan ?? "",
    callId: call.toolCallId,
    itemId,
  });
}

function planOf({ content, rawInput }: AcpToolCall): string | undefined {
  const { plan } = (rawInput ?? {}) as { plan?: unknown };
  if (typeof plan === "string") return plan;
  return (content ?? []).flatMap((part) => textOf(part, new Map())).join("\n");
}
