import { applyToSession, SandboxError, type SessionState, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { LogReaders } from "@sandbox-agent-ts/store";
import type { Lease, NewSession, StoredSession } from "../store/runtime-store.ts";
import { eventsAfter } from "./conversation.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { stateFrom } from "./session-writer.ts";

/** A session that was just made: all that the store has of it is known. */
export interface MadeSession {
  readonly session: NewSession;
  readonly lease: Lease;
}

/** What a session in memory begins with. */
export interface SessionParts {
  readonly session: StoredSession;
  /** The right to write its log. */
  readonly lease: Lease;
  readonly readers: LogReaders;
  readonly state: SessionState;
  readonly openTurns: number;
}

type PartsDeps = Pick<RuntimeDeps, "store" | "logs" | "owner" | "limits">;

/** Of a session that the store has. Rejects where another process works on it. */
export async function storedParts(sessionId: string, deps: PartsDeps): Promise<SessionParts> {
  const { store, logs, owner, limits } = deps;
  const lease = await store.claimLease(sessionId, owner, limits.leaseMs);
  const session = await store.session(sessionId);
  if (!session) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
  if (!lease) throw heldElsewhere(sessionId);
  const readers = logs.of(sessionId, session.head);
  const state = stateFrom(session.snapshot);
  for await (const event of eventsAfter(readers, state.sequence)) applyToSession(state, event);
  const openTurns = (await store.openTurns(sessionId)).length;
  return { session, lease, readers, state, openTurns };
}

export function madeParts({ session, lease }: MadeSession, { logs }: PartsDeps): SessionParts {
  const { log: { lines, count } = { lines: [], count: 0 }, lease: _, ...fields } = session;
  const state = stateFrom(undefined);
  for (const line of lines.join("").split("\n"))
    if (line !== "") applyToSession(state, JSON.parse(line) as UniversalEvent);
  const { sessionId, createdAt } = session;
  const more = { lastActivity: createdAt, head: count, epoch: lease.epoch, summary: undefined, snapshot: undefined };
  const readers = logs.of(sessionId, count);
  return { session: { ...fields, ...more }, lease, readers, state, openTurns: 0 };
}

function heldElsewhere(sessionId: string): SandboxError {
  const sentence = `Another process of the runtime works on session "${sessionId}". Try again in some seconds.`;
  return new SandboxError("too_many_requests", sentence, { sessionId });
}
