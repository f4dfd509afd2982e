import type { Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import { questionData } from "../../../questions/question-data.ts";
import type { ControlRequestLine, ToolAsk } from "../dialect.ts";
import { askAboutPlan } from "./ask-about-plan.ts";
import type { OpenRequest } from "./claude-state.ts";
import type { Conversion } from "./conversion.ts";
import { describeUse, useKey } from "./tool-use.ts";

/** The agent asks. What is no question of ours is refused, because the agent would wait for ever. */
export function takeControlRequest(to: Conversion, line: ControlRequestLine): void {
  const { request, request_id } = line;
  if (request.subtype !== "can_use_tool" || request.tool_name === undefined) {
    const error = `This client does not answer requests of the kind ${request.subtype}.`;
    to.replies.push({ type: "control_response", response: { subtype: "error", request_id, error } });
    return;
  }
  const ask = { ...request, tool_name: request.tool_name, input: request.input ?? {} };
  if (ask.tool_name === "AskUserQuestion") askQuestions(to, request_id, ask);
  else if (ask.tool_name === "ExitPlanMode") askPlan(to, request_id, ask);
  else askPermission(to, request_id, ask);
}

/** The agent takes its request back, e.g. because it was interrupted. */
export function takeCancel(to: Conversion, nativeId: string): void {
  const found = [...to.requests].find(([, request]) => request.nativeId === nativeId);
  if (!found) return;
  const [id, { kind, ask }] = found;
  to.requests.delete(id);
  if (kind === "permission") {
    to.emit("permission.resolved", { permission_id: id, action: describeUse(ask), status: "denied", reply: "reject" });
  } else {
    const { status: _, ...question } = kind === "plan" ? askAboutPlan(id, ask) : questionOf(id, ask);
    to.emit("question.resolved", { ...question, status: "rejected" });
  }
}

type Asked = Partial<ToolAsk> & Pick<ToolAsk, "tool_name" | "input">;

function askPermission(to: Conversion, nativeId: string, ask: Asked): void {
  if (to.start.allowedUses.has(useKey(ask))) {
    const response = { behavior: "allow", updatedInput: ask.input };
    to.replies.push({ type: "control_response", response: { subtype: "success", request_id: nativeId, response } });
    return;
  }
  const id = to.nextRequestId("p");
  remember(to, id, { kind: "permission", nativeId, ask });
  to.emit("permission.requested", {
    permission_id: id,
    action: describeUse(ask),
    status: "requested",
    metadata: {
      tool: ask.tool_name,
      input: ask.input,
      suggestions: ask.permission_suggestions ?? [],
      ...(ask.tool_use_id === undefined ? {} : { call_id: ask.tool_use_id }),
      ...(ask.decision_reason === undefined ? {} : { reason: ask.decision_reason }),
      ...(ask.blocked_path === undefined ? {} : { blocked_path: ask.blocked_path }),
    },
  });
}

function askQuestions(to: Conversion, nativeId: string, ask: Asked): void {
  const id = to.nextRequestId("q");
  remember(to, id, { kind: "question", nativeId, ask });
  to.emit("question.requested", questionOf(id, ask));
}

function askPlan(to: Conversion, nativeId: string, ask: Asked): void {
  const id = to.nextRequestId("q");
  remember(to, id, { kind: "plan", nativeId, ask });
  const { plan } = ask.input;
  if (typeof plan === "string" && plan !== "") to.showStatus("Plan", plan);
  to.emit("question.requested", askAboutPlan(id, ask));
}

function remember(to: Conversion, id: string, request: OpenRequest): void {
  to.requests.set(id, request);
}

interface NativeQuestion {
  question?: string;
  header?: string;
  multiSelect?: boolean;
  options?: { label?: string; description?: string }[];
}

/** The questions as they were asked; their texts are what the answers are keyed by. */
export function nativeQuestions(ask: Partial<ToolAsk>): NativeQuestion[] {
  const questions = ask.input?.questions;
  return Array.isArray(questions) ? (questions as NativeQuestion[]) : [];
}

function questionOf(id: string, ask: Partial<ToolAsk>): QuestionRequestedData {
  return questionData(id, nativeQuestions(ask).map(toQuestion));
}

function toQuestion({ question = "", header, multiSelect = false, options = [] }: NativeQuestion): Question {
  return {
    ...(header === undefined ? {} : { header }),
    prompt: question,
    multi_select: multiSelect,
    options: options.map(({ label = "", description }) => ({
      label,
      ...(description === undefined ? {} : { description }),
    })),
  };
}
