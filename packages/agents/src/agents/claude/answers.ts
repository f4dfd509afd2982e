import type { PermissionMode, PermissionReply } from "@sandbox-agent-ts/protocol";
import { approvesPlan, planFeedback } from "../../questions/plan-question.ts";
import { useKey } from "./convert/allowed-uses.ts";
import type { ClaudeState, OpenRequest } from "./convert/claude-state.ts";
import { nativeQuestions } from "./convert/requests.ts";

import type { PermissionRule } from "./dialect.ts";
import { nativePermissionModes } from "./launch.ts";

export type QuestionAnswers = readonly (readonly string[])[] | null;

/** What a person decided, as a line for the agent and the state after it. */
export interface Answered {
  readonly state: ClaudeState;
  readonly line: object;
}

export function permissionAnswer(
  state: ClaudeState,
  id: string,
  reply: PermissionReply,
  reason?: string,
): Answered | undefined {
  const request = state.requests.get(id);
  if (request === undefined) return undefined;
  const answered = without(state, id);
  if (reply === "reject") return { state: answered, line: deny(request, rejection(reason)) };
  return { state: reply === "always" ? allowAlways(answered, request) : answered, line: allow(request) };
}

function rejection(reason: string | undefined): string {
  return reason === undefined ? "The user rejected this. Do not do it." : `The user rejected this and said: ${reason}`;
}

/**
 * Of what Claude Code offers to remember only its rules are taken: the other offers write settings into the user's
 * directory and change the mode.
 */
function allowAlways(state: ClaudeState, request: OpenRequest): ClaudeState {
  const allowedUses = new Set([...state.allowedUses, useKey(request.ask)]);
  return { ...state, allowedUses, allowedRules: [...state.allowedRules, ...offeredRules(request)] };
}

function offeredRules({ ask }: OpenRequest): PermissionRule[] {
  return (ask.permission_suggestions ?? [])
    .filter(({ type, behavior }) => type === "addRules" && behavior === "allow")
    .flatMap(({ rules = [] }) => rules);
}

export function questionAnswer(
  state: ClaudeState,
  id: string,
  answers: QuestionAnswers,
  mode: PermissionMode,
): Answered | undefined {
  const request = state.requests.get(id);
  if (request === undefined) return undefined;
  const line = isAboutPlan(request) ? planLine(request, answers, mode) : questionLine(request, answers);
  return { state: without(state, id), line };
}

function isAboutPlan({ asked }: OpenRequest): boolean {
  return asked.type === "question" && asked.data.kind === "plan";
}

/** Answers are keyed by the whole text of their question, several labels are joined. */
function questionLine(request: OpenRequest, answers: QuestionAnswers): object {
  if (answers === null) return deny(request, "The user declined to answer the questions. Go on without an answer.");
  const entries = nativeQuestions(request.ask).flatMap(({ question }, index) => {
    const labels = answers[index] ?? [];
    return question === undefined || labels.length === 0 ? [] : [[question, labels.join(", ")]];
  });
  return allow(request, { updatedInput: { ...request.ask.input, answers: Object.fromEntries(entries) } });
}

/** Approving leads to the permission mode the session was created with, or to the default when that was to plan. */
function planLine(request: OpenRequest, answers: QuestionAnswers, mode: PermissionMode): object {
  if (approvesPlan(answers)) {
    if (mode === "default" || mode === "plan") return allow(request);
    const setMode = { type: "setMode", mode: nativePermissionModes[mode], destination: "session" };
    return allow(request, { updatedPermissions: [setMode] });
  }
  const feedback = planFeedback(answers);
  return deny(request, feedback ?? "The user rejected the plan. Do not carry it out.");
}

function allow({ nativeId, ask }: OpenRequest, more: object = {}): object {
  return success(nativeId, { behavior: "allow", updatedInput: ask.input, ...more });
}

function deny({ nativeId }: OpenRequest, message: string): object {
  return success(nativeId, { behavior: "deny", message });
}

function success(request_id: string, response: object): object {
  return { type: "control_response", response: { subtype: "success", request_id, response } };
}

function without(state: ClaudeState, id: string): ClaudeState {
  const requests = new Map(state.requests);
  requests.delete(id);
  return { ...state, requests };
}
