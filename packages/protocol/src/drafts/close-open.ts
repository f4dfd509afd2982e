import type { SessionState } from "../fold/session-state.ts";
import { withStreamedText } from "../fold/streamed-text.ts";
import type { EventDraft } from "../universal-event.ts";
import { daemonEvent } from "./drafts.ts";

/** What closes everything a turn left open: items failed with the text so far, or without any, and requests refused. */
export function closeOpen(state: SessionState, { withText = true } = {}): EventDraft[] {
  const drafts: EventDraft[] = [];
  for (const data of Object.values(state.permissions)) {
    drafts.push(
      daemonEvent({
        type: "permission.resolved",
        data: { ...data, status: "denied", reply: "reject", resolved_by: "daemon" },
      }),
    );
  }
  for (const data of Object.values(state.questions)) {
    drafts.push(
      daemonEvent({ type: "question.resolved", data: { ...data, status: "rejected", resolved_by: "daemon" } }),
    );
  }
  for (const { item, deltas } of Object.values(state.openItems).reverse()) {
    const spoken = deltas.length === 0 || !withText ? item : withStreamedText(item, deltas.join(""));
    drafts.push(daemonEvent({ type: "item.completed", data: { item: { ...spoken, status: "failed" } } }));
  }
  return drafts;
}
