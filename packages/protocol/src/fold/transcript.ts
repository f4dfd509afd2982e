import type { ErrorData, PermissionRequestedData, QuestionRequestedData, TurnEndReason } from "../event-data.ts";
import type { SessionStatus } from "../session.ts";
import type { UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Cost, Usage } from "../usage.ts";
import { createSessionSummary, type SessionSummary } from "./session-state.ts";
import { TranscriptDraft } from "./transcript-draft.ts";

/**
 * A session as a reader sees it: all that its events say, in one value. Immutable plain data. Whatever did not change
 * from one fold to the next keeps its identity: every item, turn and list.
 */
export interface Transcript {
  readonly lastSequence: number;
  readonly status: SessionStatus;
  readonly session: Readonly<SessionSummary>;
  /** In the order they were started. One that is being written shows the text so far. */
  readonly items: readonly UniversalItem[];
  readonly turns: readonly TranscriptTurn[];
  /** Permissions that nobody has decided yet, oldest first. */
  readonly permissions: readonly PermissionRequestedData[];
  /** Questions that nobody has answered yet, oldest first. */
  readonly questions: readonly QuestionRequestedData[];
  /** Of all turns together, where the agent tells. */
  readonly usage: Usage | null;
  readonly errors: readonly TranscriptError[];
  /** How many native payloads could not be understood. */
  readonly unparsed: number;
  /** The items that are being written, by id. */
  readonly writing: Readonly<Record<string, ItemInWriting>>;
}

/** A turn in a transcript: its status, what it used and its items. */
export interface TranscriptTurn {
  readonly turnId: string;
  /** The id that the sender gave the message. */
  readonly clientMessageId?: string;
  readonly status: "running" | TurnEndReason;
  /** Why, when the status is `error`. */
  readonly message?: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly usage?: Usage;
  readonly cost?: Cost;
  readonly itemIds: readonly string[];
}

/** An error in a transcript, with its place in the log. */
export interface TranscriptError extends ErrorData {
  readonly sequence: number;
  readonly time: string;
  readonly turnId: string | null;
  /** Where in `items` it happened: before the item of this index, behind the last one when there is none yet. */
  readonly itemIndex: number;
}

export interface ItemInWriting {
  /** Where it stands in `items`. */
  readonly index: number;
  /** Its deltas, joined. */
  readonly text: string;
}

/** The transcript of a session without events, to start a fold from. */
export const emptyTranscript: Transcript = {
  lastSequence: 0,
  status: "idle",
  session: createSessionSummary(),
  items: [],
  turns: [],
  permissions: [],
  questions: [],
  usage: null,
  errors: [],
  unparsed: 0,
  writing: {},
};

/**
 * The transcript after these events. Events it has already seen are passed over, so that a replay does no harm, and a
 * call that brings nothing new returns the very same transcript. Costs a shallow copy per call, not per event.
 */
export function foldEvents(transcript: Transcript, events: Iterable<UniversalEvent>): Transcript {
  const draft = new TranscriptDraft(transcript);
  for (const event of events) {
    if (event.sequence > draft.lastSequence) draft.apply(event);
  }
  return draft.lastSequence === transcript.lastSequence ? transcript : draft.finish();
}
