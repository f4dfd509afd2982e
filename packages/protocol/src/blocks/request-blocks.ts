import type { EventPayload } from "../universal-event.ts";
import type { BlockState } from "./block-state.ts";
import type { BlockWriter } from "./block-writer.ts";
import {
  type ConversationBlock,
  mainConversation,
  type PermissionBlock,
  type QuestionBlock,
} from "./conversation-block.ts";

type Of<T extends EventPayload["type"]> = Extract<EventPayload, { type: T }> & { readonly time: string | null };
type Requested = Of<"permission.requested" | "question.requested">;
type Resolved = Of<"permission.resolved" | "question.resolved">;

/** The agent asks; what it asks stands in the conversation of the tool that it is about. */
export function startRequest(state: BlockState, write: BlockWriter, event: Requested): void {
  state.requests.set(keyOf(event), begin(state, write, event));
}

/** What a policy decides was never asked: it begins and ends at once. */
export function resolveRequest(state: BlockState, write: BlockWriter, event: Resolved): void {
  const asked = state.requests.get(keyOf(event)) ?? begin(state, write, asRequested(event));
  state.requests.delete(keyOf(event));
  write.complete({ ...asked, ...resolution(event) } as ConversationBlock);
}

function begin(state: BlockState, write: BlockWriter, event: Requested): ConversationBlock {
  const place = { conversationId: conversationOf(state, event.data), time: event.time };
  if (event.type === "permission.requested") {
    const { permission_id: permissionId } = event.data;
    const made = { type: "permission", permissionId, status: "pending", request: event.data } as const;
    return write.startAlone(made, { ...place, name: permissionId });
  }
  const { question_id: questionId } = event.data;
  const made = { type: "question", questionId, status: "pending", request: event.data } as const;
  return write.startAlone(made, { ...place, name: questionId });
}

function asRequested({ type, data, time }: Resolved): Requested {
  const { status: _status, ...rest } = data;
  const { resolved_by: _by, reason: _reason, ...asked } = rest;
  const { reply: _reply, response: _response, answers: _answers, ...request } = asked as Record<string, unknown>;
  const requested = type === "permission.resolved" ? "permission.requested" : "question.requested";
  return { type: requested, time, data: { ...request, status: "requested" } } as unknown as Requested;
}

function resolution(event: Resolved): Partial<PermissionBlock> | Partial<QuestionBlock> {
  const { resolved_by, reason } = event.data;
  const why = { ...(resolved_by ? { resolvedBy: resolved_by } : {}), ...(reason ? { reason } : {}) };
  if (event.type === "permission.resolved") {
    const { status, reply } = event.data;
    return { status, ...(reply ? { reply } : {}), ...why };
  }
  const { status, answers } = event.data;
  return { status, ...(answers ? { answers } : {}), ...why };
}

function conversationOf(state: BlockState, { item_id, call_id }: Requested["data"]): string {
  const item = state.items.get(item_id ?? "") ?? state.calls.get(call_id ?? "")?.block;
  return item?.conversationId ?? mainConversation;
}

function keyOf({ data }: Requested | Resolved): string {
  return "permission_id" in data ? `permission ${data.permission_id}` : `question ${data.question_id}`;
}
