import { randomBytes } from "node:crypto";
import type { TurnOutcome } from "@sandbox-agent/agents";
import type { EventDraft, SessionState, TurnEndReason } from "@sandbox-agent/protocol";
import type { TurnRecord } from "@sandbox-agent/store";
import type { Deferred } from "./deferred.ts";
import { turnEnded, turnStarted, userMessage } from "./drafts.ts";
import { closeOpen } from "./lifecycle.ts";

export interface RunningTurn {
  readonly turnId: string;
  /** Rejects, and is replaced, each time that the turn could not be written to the log. */
  ended: Deferred<void>;
  /** Why it stops before the agent says so; the first reason wins. */
  stop?: { reason: TurnEndReason; message?: string };
}

export function startOfTurn({ turnId, message, attachments }: TurnRecord): EventDraft[] {
  const itemId = `itm_${randomBytes(6).toString("base64url")}`;
  return [turnStarted(turnId), ...userMessage(itemId, message, attachments)];
}

/** What is left to say when a turn is over: the end of all it left open, why it failed, and its own end. */
export function endOfTurn(
  state: SessionState,
  { turnId, stop }: RunningTurn,
  { sessionEnded, ...end }: TurnOutcome,
  failure: EventDraft | undefined,
): EventDraft[] {
  const drafts = closeOpen(state);
  if (failure && !stop) drafts.push(failure);
  drafts.push(turnEnded(turnId, { ...end, ...stop }));
  if (sessionEnded) drafts.push({ type: "session.ended", data: sessionEnded, source: "agent", synthetic: false });
  return drafts;
}
