import type { UniversalEvent } from "../universal-event.ts";

/** What every session's stream keeps, whatever the agent. */
export const streamRules = {
  sequence: "Sequences are 1, 2, 3 … without a gap.",
  "event-id": "No two events have the same event_id.",
  "one-session": "All events have the same session_id.",
  synthetic: "synthetic is true exactly when the source is the daemon.",
  "session-started-first": "session.started is the first event.",
  "session-started-once": "session.started comes once.",
  "session-ended-last": "Nothing follows session.ended.",
  "one-turn-at-a-time": "A turn starts after the one before it has ended.",
  "turn-ended-matches": "turn.ended ends the turn that is running.",
  "turn-ends": "Every turn ends, before its session does.",
  "inside-a-turn": "Items and requests happen inside a turn; only status and system items also outside.",
  "user-message-first": "The first item of a turn is the user's message.",
  "item-started-once": "No two items are started with the same item_id.",
  "item-started-first": "Deltas and completion follow the start of their item.",
  "item-completed-once": "Nothing follows the completion of an item.",
  "item-completes-in-its-turn": "An item is completed in the turn in which it was started.",
  "item-final-status": "A completed item's status is completed or failed.",
  "deltas-spell-the-text": "The deltas of an item, joined, are its completed text.",
  "assistant-text-streams": "The text of an assistant's message comes in deltas, in one if it came whole.",
  "tool-result-follows-call": "A tool_result follows the tool_call with the same call_id.",
  "request-names-its-call": "A request's item_id is the tool_call item, started before, with the request's call_id.",
  "parent-known": "parent_id is an item that was started before.",
  "request-once": "No two requests of a kind have the same id.",
  "resolved-follows-requested": "A request is resolved after it was made.",
  "resolved-once": "A request is resolved once.",
  "resolved-in-its-turn": "A request is resolved before its turn ends.",
} as const;

export type StreamRuleName = keyof typeof streamRules;

export type Report = (rule: StreamRuleName, message: string) => void;

/** Watches one stream from its first event on, for some of the rules. */
export interface RuleWatch {
  /** `turnId` is the turn that is running; a turn's first and last event are part of it. */
  push(event: UniversalEvent, turnId: string | null, report: Report): void;
  /** No event follows. */
  end?(report: Report): void;
}
