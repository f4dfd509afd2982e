import type { PermissionRequestedData, QuestionRequestedData, SessionEndedData } from "../event-data.ts";
import type { SessionStatus } from "../session.ts";
import type { SessionChanges } from "../session-settings.ts";
import type { EventPayload, UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Cost, Usage } from "../usage.ts";

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
}

export interface OpenItem {
  item: UniversalItem;
  /** The deltas so far, in order. */
  deltas: string[];
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
  return { ...createSessionSummary(), openItems: {} };
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
      state.openItems[event.data.item.item_id] = { item: event.data.item, deltas: [] };
      break;
    case "item.delta":
      state.openItems[event.data.item_id]?.deltas.push(event.data.delta);
      break;
    case "item.completed":
      delete state.openItems[event.data.item.item_id];
      break;
  }
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
