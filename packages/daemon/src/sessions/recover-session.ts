import { createSessionState, type SessionState } from "@sandbox-agent-ts/protocol";
import type { EventLog, StoredSession, TurnRecord } from "@sandbox-agent-ts/store";
import { daemonEvent, turnEnded } from "./drafts.ts";
import { closeOpen } from "./lifecycle.ts";
import { Session } from "./session.ts";
import type { SessionHost } from "./session-host.ts";
import { SessionRecorder } from "./session-recorder.ts";
import { titleFrom } from "./session-title.ts";

interface Snapshot {
  state: SessionState;
  title?: string;
}

/**
 * A session as the log left it. A turn that was running is closed as failed and never replayed, because nobody knows how
 * far its agent got; turns that only waited will run.
 */
export async function recoverSession(stored: StoredSession, logs: EventLog, host: SessionHost): Promise<Session> {
  const { record, memory } = stored;
  const snapshot = stored.snapshot as Snapshot | null;
  // A checkpoint of an older version lacks what was added since.
  const state = { ...createSessionState(), ...snapshot?.state };
  const log = logs.open(record, state.nativeSessionId);
  const recorder = new SessionRecorder(log, state, stored.updatedAt);
  if (stored.clean && snapshot) {
    if (state.ended) log.finish();
    return new Session(record, recorder, host, { waiting: [], title: snapshot.title, memory });
  }
  await recorder.reload(state);
  if (state.nativeSessionId !== null) log.setNativeSessionId(state.nativeSessionId);
  await closeWhatWasRunning(recorder);
  const turns = await host.store.turns(record.sessionId);
  const waiting = state.ended ? [] : turnsAfter(turns, state.lastTurnId);
  if (state.ended) log.finish();
  return new Session(record, recorder, host, { waiting, title: snapshot?.title ?? titleOf(turns), memory });
}

/** Those admitted behind the last one that was started. If that one's record is lost, what is left is older than it. */
function turnsAfter(turns: readonly TurnRecord[], lastStarted: string | null): readonly TurnRecord[] {
  if (lastStarted === null) return turns;
  const index = turns.findIndex((turn) => turn.turnId === lastStarted);
  return index === -1 ? [] : turns.slice(index + 1);
}

function titleOf(turns: readonly TurnRecord[]): string | undefined {
  for (const { message } of turns) {
    const title = titleFrom(message);
    if (title !== undefined) return title;
  }
  return undefined;
}

async function closeWhatWasRunning(recorder: SessionRecorder): Promise<void> {
  const { state } = recorder;
  if (!state.started) await recorder.record([daemonEvent({ type: "session.started", data: {} })]);
  if (state.ended || state.turnId === null) return;
  const message = "The daemon restarted while this turn was running. Send the message again to go on.";
  await recorder.record([...closeOpen(state), turnEnded(state.turnId, { reason: "error", message })]);
}
