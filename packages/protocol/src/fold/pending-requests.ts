import type { PermissionRequestedData, QuestionRequestedData } from "../event-data.ts";
import type { PendingRequest } from "../session.ts";
import type { SessionSummary } from "./session-state.ts";

const maxText = 500;
const maxPaths = 20;

/** What waits for a person, in short: lists of sessions are read often, and the log says it all. */
export function pendingRequests({ permissions, questions }: SessionSummary): PendingRequest[] {
  return [...Object.values(permissions).map(fromPermission), ...Object.values(questions).map(fromQuestion)];
}

function fromPermission(data: PermissionRequestedData): PendingRequest {
  return {
    type: "permission",
    id: data.permission_id,
    summary: cut(data.action),
    ...present({
      kind: data.kind,
      tool: data.tool,
      paths: data.paths?.slice(0, maxPaths),
      command: data.command && cut(data.command),
      url: data.url && cut(data.url),
      callId: data.call_id,
      itemId: data.item_id,
    }),
  };
}

function fromQuestion(data: QuestionRequestedData): PendingRequest {
  return {
    type: data.kind ?? "question",
    id: data.question_id,
    summary: cut(data.prompt),
    options: data.options.map(cut),
    ...present({ callId: data.call_id, itemId: data.item_id }),
  };
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text;
}

function present<T extends object>(fields: T): Partial<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}
