import type { PermissionRequestedData, QuestionRequestedData, SessionEndedData } from "../event-data.ts";
import type { SessionStatus } from "../session.ts";
import type { EventPayload, UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Usage } from "../usage.ts";

/**
 * What is true of a session now, folded from its log. Small whatever the log's length: finished items and turns leave
 * nothing behind but counts. Plain data, so that it can be kept as JSON.
 */
export interface SessionState {
  sequence: number;
  started: boolean;
  ended: SessionEndedData | null;
  nativeSessionId: string | null;
  turnId: string | null;
  /** The last turn that was started, running or not. */
  lastTurnId: string | null;
  turnCount: number;
  openItems: Record<string, OpenItem>;
  permissions: Record<string, PermissionRequestedData>;
  questions: Record<string, QuestionRequestedData>;
  usage: Usage | null;
}

export interface OpenItem {
  item: UniversalItem;
  /** The deltas so far, in order. */
  deltas: string[];
}

export function createSessionState(): SessionState {
  return {
    sequence: 0,
    started: false,
    ended: null,
    nativeSessionId: null,
    turnId: null,
    lastTurnId: null,
    turnCount: 0,
    openItems: {},
    permissions: {},
    questions: {},
    usage: null,
  };
}

/** Take one event of the log into the state, in place. */
export function applyToSession(state: SessionState, event: UniversalEvent): void {
  state.sequence = event.sequence;
  if (event.native_session_id !== null) state.nativeSessionId = event.native_session_id;
  applyPayload(state, event);
}

/** Take what an event says into the state, in place, without its number. */
export function applyPayload(state: SessionState, event: EventPayload): void {
  switch (event.type) {
    case "session.started":
      state.started = true;
      break;
    case "session.ended":
      state.ended = event.data;
      break;
    case "turn.started":
      state.turnId = event.data.turn_id;
      state.lastTurnId = event.data.turn_id;
      state.turnCount += 1;
      break;
    case "turn.ended":
      state.turnId = null;
      if (event.data.metadata.usage) state.usage = addUsage(state.usage, event.data.metadata.usage);
      break;
    case "item.started":
      state.openItems[event.data.item.item_id] = { item: event.data.item, deltas: [] };
      break;
    case "item.delta":
      state.openItems[event.data.item_id]?.deltas.push(event.data.delta);
      break;
    case "item.completed":
      delete state.openItems[event.data.item.item_id];
      break;
    case "permission.requested":
      state.permissions[event.data.permission_id] = event.data;
      break;
    case "permission.resolved":
      delete state.permissions[event.data.permission_id];
      break;
    case "question.requested":
      state.questions[event.data.question_id] = event.data;
      break;
    case "question.resolved":
      delete state.questions[event.data.question_id];
      break;
  }
}

export function sessionStatus(state: SessionState): SessionStatus {
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

function hasKeys(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
