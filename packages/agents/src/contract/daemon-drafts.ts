import {
  type EventDraft,
  type EventOf,
  type EventType,
  type PermissionReply,
  type PermissionRequestedData,
  type QuestionRequestedData,
  type SessionEndedData,
  type SessionState,
  streamedText,
  type UniversalItem,
  withStreamedText,
} from "@sandbox-agent-ts/protocol";

/** What the daemon, and not the agent, says. */
export function daemonDraft<T extends EventType>(type: T, data: EventOf<T>["data"]): EventDraft {
  return { type, data, source: "daemon", synthetic: true } as EventDraft;
}

/** Written by the daemon, said by the agent. */
export function sessionEnd(data: SessionEndedData): EventDraft {
  return { type: "session.ended", data, source: "agent", synthetic: false };
}

export function userMessage(itemId: string, text: string): EventDraft[] {
  const item: UniversalItem = {
    item_id: itemId,
    kind: "message",
    role: "user",
    status: "completed",
    content: [{ type: "text", text }],
  };
  const start: UniversalItem = { ...item, status: "in_progress", content: [{ type: "text", text: "" }] };
  return [
    daemonDraft("item.started", { item: start }),
    daemonDraft("item.delta", { item_id: itemId, delta: streamedText(item) }),
    daemonDraft("item.completed", { item }),
  ];
}

export function permissionResolved(request: PermissionRequestedData, reply: PermissionReply): EventDraft {
  const status = reply === "reject" ? "denied" : "approved";
  return daemonDraft("permission.resolved", { ...request, status, reply });
}

export function questionResolved(
  request: QuestionRequestedData,
  answers: readonly (readonly string[])[] | null,
): EventDraft {
  if (answers === null) return daemonDraft("question.resolved", { ...request, status: "rejected" });
  const response = answers[0]?.join(", ") ?? null;
  const data = { ...request, status: "answered", response, answers: answers.map((labels) => [...labels]) } as const;
  return daemonDraft("question.resolved", data);
}

/** What a turn left open, closed: requests rejected, items failed with the text so far. */
export function closingDrafts({ permissions, questions, openItems }: SessionState): EventDraft[] {
  return [
    ...Object.values(permissions).map((request) => permissionResolved(request, "reject")),
    ...Object.values(questions).map((request) => questionResolved(request, null)),
    ...Object.values(openItems).map(({ item, deltas }) => {
      const text = deltas.join("");
      const written = text === "" ? item : withStreamedText(item, text);
      return daemonDraft("item.completed", { item: { ...written, status: "failed" } });
    }),
  ];
}
