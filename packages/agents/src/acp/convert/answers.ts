import type { PermissionReply } from "@sandbox-agent-ts/protocol";
import type { JsonRpcId } from "../../json-rpc/json-rpc-message.ts";
import { approvesPlan, planFeedback } from "../../questions/plan-question.ts";
import { type AcpState, leavePlanMode, type OpenRequest, refuse } from "./acp-state.ts";
import { formAnswer, formCancelled } from "./elicitation.ts";
import { permissionAnswer, permissionCancelled } from "./permissions.ts";

/** What a person decided, for the agent; nothing where the request is not open any more. */
export interface Answered {
  readonly state: AcpState;
  readonly answers: readonly { readonly id: JsonRpcId; readonly result: object }[];
}

/**
 * `always` is told to the agent only where that is narrow; else the same use is remembered here. `words` are a person's
 * who rejects. Pure.
 */
export function answerPermission(state: AcpState, requestId: string, reply: PermissionReply, words?: string): Answered {
  const request = state.requests.get(requestId);
  if (request?.type !== "permission") return { state, answers: [] };
  const { rpcId: id, options, use, data } = request;
  const offered = options.some(({ kind }) => kind === "allow_always");
  const isOurs = reply === "always" && !(state.setting.quirks.remembersNarrowly && offered);
  const allowedUses = isOurs ? new Set([...state.allowedUses, use]) : state.allowedUses;
  const result = permissionAnswer(options, isOurs ? "once" : reply);
  const after = { ...without(state, requestId), allowedUses };
  const refused = { ...(data.call_id == null ? {} : { callId: data.call_id }), ...(words ? { words } : {}) };
  return { state: reply === "reject" ? refuse(after, refused) : after, answers: [{ id, result }] };
}

/** `null` is a person who declined. Pure. */
export function answerQuestion(
  state: AcpState,
  requestId: string,
  given: readonly (readonly string[])[] | null,
): Answered {
  const request = state.requests.get(requestId);
  if (request?.type === "plan") return answerPlan(without(state, requestId), request, given);
  if (request?.type === "asked") return answerAsked(without(state, requestId), request, given);
  if (request?.type !== "question") return { state, answers: [] };
  const result = formAnswer(request.fields, given);
  const after = without(state, requestId);
  return { state: given ? after : refuse(after), answers: [{ id: request.rpcId, result }] };
}

type PlanRequest = Extract<OpenRequest, { type: "plan" | "asked" }>;

/** Whoever declines refuses the permission as which the agent asked. */
function answerAsked(
  state: AcpState,
  { rpcId: id, options }: PlanRequest,
  given: readonly (readonly string[])[] | null,
): Answered {
  const told = given === null ? {} : state.setting.quirks.tellAnswers?.(given);
  const result = { ...permissionAnswer(options, given ? "once" : "reject"), ...told };
  return { state: given ? state : refuse(state), answers: [{ id, result }] };
}

/** A plan that is approved may be carried out, under the permission mode that the session has besides. */
function answerPlan(
  state: AcpState,
  { rpcId: id, options }: PlanRequest,
  given: readonly (readonly string[])[] | null,
): Answered {
  const approved = approvesPlan(given);
  const answers = [{ id, result: permissionAnswer(options, approved ? "once" : "reject") }];
  if (approved) return { state: leavePlanMode(state), answers };
  const words = planFeedback(given);
  return { state: refuse(state, words === undefined ? {} : { words }), answers };
}

/** Nobody will answer what is still asked. Pure. */
export function cancelRequests(state: AcpState): Answered {
  const answers = [...state.requests.values()].map(cancelledAnswer);
  return { state: { ...state, requests: new Map() }, answers };
}

/** That nobody answers. */
export function cancelledAnswer({ type, rpcId }: OpenRequest): { id: JsonRpcId; result: object } {
  return { id: rpcId, result: type === "question" ? formCancelled : permissionCancelled };
}

/** How a question to a person is answered while no turn runs: people decide about turns. `undefined` for anything else. */
export function answerOutsideTurn(method: string): object | undefined {
  if (method === "session/request_permission") return permissionCancelled;
  return method === "elicitation/create" ? formCancelled : undefined;
}

function without(state: AcpState, requestId: string): AcpState {
  const requests = new Map(state.requests);
  requests.delete(requestId);
  return { ...state, requests };
}
