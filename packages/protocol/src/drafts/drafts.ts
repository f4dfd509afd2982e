import type { SessionEndedData, TurnEndedMetadata } from "../event-data.ts";
import type { FileAttachment } from "../message.ts";
import type { EventDraft, EventPayload } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";

/** Events that no agent tells. */
export function daemonEvent(payload: EventPayload): EventDraft {
  return { ...payload, source: "daemon", synthetic: true };
}

function turnStarted(turnId: string, clientMessageId: string | undefined): EventDraft {
  const metadata = clientMessageId === undefined ? {} : { metadata: { client_message_id: clientMessageId } };
  return daemonEvent({ type: "turn.started", data: { phase: "started", turn_id: turnId, ...metadata } });
}

export function turnEnded(turnId: string, metadata: TurnEndedMetadata): EventDraft {
  return daemonEvent({ type: "turn.ended", data: { phase: "ended", turn_id: turnId, metadata } });
}

export function sessionEnded(data: SessionEndedData): EventDraft {
  return daemonEvent({ type: "session.ended", data });
}

/** The user's own message, as an item of the turn it begins. */
function userMessage(itemId: string, message: string, attachments: readonly FileAttachment[]): readonly EventDraft[] {
  const item = (status: UniversalItem["status"], content: UniversalItem["content"]): UniversalItem => ({
    item_id: itemId,
    kind: "message",
    role: "user",
    status,
    content,
  });
  const files = attachments.map(({ path, mime }): UniversalItem["content"][number] =>
    mime?.startsWith("image/") ? { type: "image", path, mime } : { type: "file_ref", path, action: "read" },
  );
  const drafts = [daemonEvent({ type: "item.started", data: { item: item("in_progress", []) } })];
  if (message !== "") drafts.push(daemonEvent({ type: "item.delta", data: { item_id: itemId, delta: message } }));
  const content: UniversalItem["content"] = message === "" ? files : [{ type: "text", text: message }, ...files];
  drafts.push(daemonEvent({ type: "item.completed", data: { item: item("completed", content) } }));
  return drafts;
}

/** A message that was taken. */
export interface TakenMessage {
  readonly turnId: string;
  readonly message: string;
  readonly attachments: readonly FileAttachment[];
  readonly messageId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** A turn as it begins, with the message it is about. */
export function startOfTurn({ turnId, message, attachments, messageId, idempotencyKey }: TakenMessage): EventDraft[] {
  const itemId = `itm_${globalThis.crypto.randomUUID()}`;
  return [turnStarted(turnId, messageId ?? idempotencyKey), ...userMessage(itemId, message, attachments)];
}
