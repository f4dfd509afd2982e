import type { PermissionRequestedData, Question, QuestionRequestedData } from "@sandbox-agent-ts/protocol";
import {
  type AskedUse,
  permissionData,
  rememberedPermission,
  withdrawnPermission,
} from "../../../permissions/permission-data.ts";
import { planQuestion } from "../../../questions/plan-question.ts";
import { questionData, withdrawnQuestion } from "../../../questions/question-data.ts";
import type { ControlRequestLine, ToolAsk } from "../dialect.ts";
import { isAllowedAlways } from "./allowed-uses.ts";
import type { Conversion } from "./conversion.ts";
import { completeCall } from "./tool-calls.ts";

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
  const [id, { asked }] = found;
  to.requests.delete(id);
  if (asked.type === "permission") to.emit("permission.resolved", withdrawnPermission(asked.data));
  else to.emit("question.resolved", withdrawnQuestion(asked.data));
}

type Asked = Partial<ToolAsk> & Pick<ToolAsk, "tool_name" | "input">;

function askPermission(to: Conversion, nativeId: string, ask: Asked): void {
  const data = permissionOf(to, ask);
  if (isAllowedAlways(to.start, ask)) {
    const response = { behavior: "allow", updatedInput: ask.input };
    to.replies.push({ type: "control_response", response: { subtype: "success", request_id: nativeId, response } });
    to.emit("permission.resolved", rememberedPermission(data));
    return;
  }
  to.requests.set(data.permission_id, { nativeId, ask, asked: { type: "permission", data } });
  to.emit("permission.requested", data);
}

function permissionOf(to: Conversion, ask: Asked): PermissionRequestedData {
  const use: AskedUse = {
    tool: ask.tool_name,
    input: ask.input,
    ...callOf(to, ask),
    metadata: {
      tool: ask.tool_name,
      input: ask.input,
      suggestions: ask.permission_suggestions ?? [],
      ...(ask.tool_use_id === undefined ? {} : { call_id: ask.tool_use_id }),
      ...(ask.decision_reason === undefined ? {} : { reason: ask.decision_reason }),
      ...(ask.blocked_path === undefined ? {} : { blocked_path: ask.blocked_path }),
    },
  };
  return permissionData(to.nextRequestId("p"), use, to.start.callSetting);
}

/** The call that waits for the answer; one that was not told yet begins now. */
function callOf(to: Conversion, { tool_use_id: callId, tool_name: name, input }: Asked): CallLink {
  if (callId === undefined) return {};
  if (!to.calls.has(callId)) completeCall(to, { id: callId, name, input });
  return { callId, itemId: to.calls.get(callId)?.itemId };
}

interface CallLink {
  readonly callId?: string;
  readonly itemId?: string | undefined;
}

function askQuestions(to: Conversion, nativeId: string, ask: Asked): void {
  const questions = nativeQuestions(ask).map(toQuestion);
  request(to, nativeId, ask, questionData(to.nextRequestId("q"), questions, callOf(to, ask)));
}

/** `ExitPlanMode`: may the plan be carried out? */
function askPlan(to: Conversion, nativeId: string, ask: Asked): void {
  const id = to.nextRequestId("q");
  const plan = typeof ask.input.plan === "string" ? ask.input.plan : "";
  const call = callOf(to, ask);
  if (plan !== "") to.showStatus("Plan", plan);
  request(to, nativeId, ask, questionData(id, [planQuestion(plan)], { plan, ...call }));
}

function request(to: Conversion, nativeId: string, ask: Asked, data: QuestionRequestedData): void {
  to.requests.set(data.question_id, { nativeId, ask, asked: { type: "question", data } });
  to.emit("question.requested", data);
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
