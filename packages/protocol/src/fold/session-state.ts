import type { PermissionRequestedData, QuestionRequestedData, SessionEndedData } from "../event-data.ts";
import type { SessionStatus } from "../session.ts";
import type { SessionChanges } from "../session-settings.ts";
import type { EventPayload, UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Cost, Usage } from "../usage.ts";
import { itemTextLength, maxItemText, textWithin } from "./item-text.ts";

/** What an open item counts beside its text, so that a thousand of them have no room for any. */
const itemOverhead = 8 * 1024;
/** So many deltas become one string: a million short ones take many times the memory of their text. */
const joinedDeltas = 1024;

/** What is true of a session now, apart from the items that are being written. */
export interface SessionSummary {
  sequence: number;
  started: boolean;
  ended: SessionEndedData | null;
  nativeSessionId: string | null;
  turnId: string | null;
  /** The last turn that was started, running or not. */
  lastTurnId: string | null;
  turnCount: number;
  permissions: Record<string, PermissionRequestedData>;
  questions: Record<string, QuestionRequestedData>;
  usage: Usage | null;
  cost: Cost | null;
  /** What was changed since the session was created. */
  changes: SessionChanges;
}

/**
 * What is true of a session now, folded from its log. Small whatever the log's length: finished items and turns leave
 * nothing behind but counts. Plain data, so that it can be kept as JSON.
 */
export interface SessionState extends SessionSummary {
  openItems: Record<string, OpenItem>;
  /** How much text the open items hold together: at most `maxItemText` is kept of their deltas. */
  openText: number;
}

export interface OpenItem {
  item: UniversalItem;
  /** What the deltas have spelled so far, in order and in pieces. */
  deltas: string[];
  /** How many of the last pieces are single deltas. */
  loose: number;
  /** How much it adds to `openText`. */
  size: number;
  /** How much its deltas spelled that is not kept. */
  dropped: number;
}

export function createSessionSummary(): SessionSummary {
  return {
    sequence: 0,
    started: false,
    ended: null,
    nativeSessionId: null,
    turnId: null,
    lastTurnId: null,
    turnCount: 0,
    permissions: {},
    questions: {},
    usage: null,
    cost: null,
    changes: {},
  };
}

export function createSessionState(): SessionState {
  return { ...createSessionSummary(), openItems: {}, openText: 0 };
}

/** Take one event of the log into the state, in place. */
export function applyToSession(state: SessionState, event: UniversalEvent): void {
  applyEnvelope(state, event);
  applyPayload(state, event);
}

/** Take what an event says into the state, in place, without its number. */
export function applyPayload(state: SessionState, event: EventPayload): void {
  applyPayloadToSummary(state, event);
  switch (event.type) {
    case "item.started":
      startItem(state, event.data.item);
      break;
    case "item.delta":
      addDelta(state, event.data.item_id, event.data.delta);
      break;
    case "item.completed":
      endItem(state, event.data.item.item_id);
      break;
  }
}

/** How much more text the open items may stream. */
export function roomForText(state: SessionState): number {
  return maxItemText - state.openText;
}

function startItem(state: SessionState, item: UniversalItem): void {
  endItem(state, item.item_id);
  const size = itemOverhead + itemTextLength(item);
  state.openItems[item.item_id] = { item, deltas: [], loose: 0, size, dropped: 0 };
  state.openText += size;
}

function addDelta(state: SessionState, itemId: string, delta: string): void {
  const open = state.openItems[itemId];
  if (!open) return;
  const kept = open.dropped > 0 ? "" : textWithin(delta, roomForText(state));
  open.dropped += delta.length - kept.length;
  if (kept === "") return;
  open.size += kept.length;
  state.openText += kept.length;
  open.deltas.push(kept);
  open.loose += 1;
  if (open.loose < joinedDeltas) return;
  open.deltas.push(open.deltas.splice(-joinedDeltas).join(""));
  open.loose = 0;
}

function endItem(state: SessionState, itemId: string): void {
  state.openText -= state.openItems[itemId]?.size ?? 0;
  delete state.openItems[itemId];
}

/** Take one event of the log into the summary, in place. */
export function applyToSummary(summary: SessionSummary, event: UniversalEvent): void {
  applyEnvelope(summary, event);
  applyPayloadToSummary(summary, event);
}

function applyEnvelope(summary: SessionSummary, event: UniversalEvent): void {
  summary.sequence = event.sequence;
  if (event.native_session_id !== null) summary.nativeSessionId = event.native_session_id;
}

function applyPayloadToSummary(summary: SessionSummary, event: EventPayload): void {
  switch (event.type) {
    case "session.started":
      summary.started = true;
      break;
    case "session.updated":
      summary.changes = { ...summary.changes, ...event.data.changes };
      break;
    case "session.ended":
      summary.ended = event.data;
      break;
    case "turn.started":
      summary.turnId = event.data.turn_id;
      summary.lastTurnId = event.data.turn_id;
      summary.turnCount += 1;
      break;
    case "turn.ended":
      summary.turnId = null;
      if (event.data.metadata.usage) summary.usage = addUsage(summary.usage, event.data.metadata.usage);
      if (event.data.metadata.cost) summary.cost = addCost(summary.cost, event.data.metadata.cost);
      break;
    case "permission.requested":
      summary.permissions[event.data.permission_id] = event.data;
      break;
    case "permission.resolved":
      delete summary.permissions[event.data.permission_id];
      break;
    case "question.requested":
      summary.questions[event.data.question_id] = event.data;
      break;
    case "question.resolved":
      delete summary.questions[event.data.question_id];
      break;
  }
}

export function sessionStatus(state: SessionSummary): SessionStatus {
  if (state.ended) return "ended";
  if (state.turnId === null) return "idle";
  const asksAPerson = hasKeys(state.permissions) || hasKeys(state.questions);
  return asksAPerson ? "waiting" : "running";
}

export function addUsage(total: Usage | null, turn: Usage): Usage {
  if (!total) return { ...turn };
  const sum: Usage = { ...total };
  for (const [name, tokens] of Object.entries(turn) as [keyof Usage, number | undefined][]) {
    if (tokens !== undefined) sum[name] = (sum[name] ?? 0) + tokens;
  }
  return sum;
}

/** Amounts of another currency than the first cannot be added; no agent mixes them. */
function addCost(total: Cost | null, turn: Cost): Cost {
  if (!total || total.currency !== turn.currency) return total ?? { ...turn };
  return { ...total, amount: roundAmount(total.amount + turn.amount) };
}

/** Sums of decimal fractions have noise in their last binary digits. */
function roundAmount(amount: number): number {
  return Math.round(amount * 1e9) / 1e9;
}

function hasKeys(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
