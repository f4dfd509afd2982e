import { setTimeout as delay } from "node:timers/promises";
import {
  closeOpen,
  createSessionState,
  daemonEvent,
  SandboxError,
  type SessionState,
  startOfTurn,
  titleFrom,
  turnEnded,
} from "@sandbox-agent-ts/protocol";
import {
  type EventLog,
  isDiskFailure,
  isWithdrawal,
  type StoredSession,
  type TurnRecord,
} from "@sandbox-agent-ts/store";
import { asSandboxError } from "./as-sandbox-error.ts";
import { sessionStarted } from "./restore-session.ts";
import { Session } from "./session.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";
import { SessionRecorder } from "./session-recorder.ts";

interface Snapshot {
  state: SessionState;
  title?: string;
}

/**
 * A session as the log left it. A turn that was running is closed as failed and never replayed, because nobody knows how
 * far its agent got; turns that only waited will run. A session that cannot be recovered is there all the same, set aside
 * with the reason: it can be read as far as it is whole, and deleted.
 */
export async function recoverSession(stored: StoredSession, logs: EventLog, host: SessionHost): Promise<Session> {
  const { memory, problem } = stored;
  const record = problem === undefined ? stored.record : withConfig(stored.record);
  const snapshot = asSnapshot(stored.snapshot);
  // A checkpoint of an older version lacks what was added since.
  const state = { ...createSessionState(), ...snapshot?.state };
  state.nativeSessionId ??= (record.config as SessionConfig | null)?.restored?.nativeSessionId ?? null;
  const log = logs.open(record, state.nativeSessionId);
  const recorder = new SessionRecorder(log, state, stored.updatedAt, host);
  const session = new Session(record, recorder, host, { title: snapshot?.title, memory });
  if (problem !== undefined) session.setAside(damaged(session.id, problem));
  else if (!(stored.clean && snapshot && isAtRest(state))) await new Recovery(session, stored, host).attempt();
  if (session.ended) log.finish();
  return session;
}

class Recovery {
  readonly #session: Session;
  readonly #stored: StoredSession;
  readonly #host: SessionHost;
  #isLoaded = false;

  constructor(session: Session, stored: StoredSession, host: SessionHost) {
    this.#session = session;
    this.#stored = stored;
    this.#host = host;
  }

  /** Never rejects: a session that cannot go on is set aside. When the disk was the reason, it is tried again. */
  async attempt(): Promise<void> {
    try {
      await this.#recover();
      this.#session.setAside(undefined);
    } catch (err) {
      const { id } = this.#session;
      this.#host.log.error({ err, sessionId: id }, "a session could not be recovered; it can only be read");
      this.#session.setAside(notRecovered(id, err));
      if (isDiskFailure(err)) void this.#tryAgain();
    }
  }

  async #tryAgain(): Promise<void> {
    await delay(this.#host.retryWriteMs, undefined, { ref: false });
    if (this.#session.isReleased) return;
    await this.attempt();
    if (!this.#session.problem) this.#session.resume();
  }

  async #recover(): Promise<void> {
    const { recorder, log } = this.#session;
    if (!this.#isLoaded) await recorder.reload(recorder.state);
    this.#isLoaded = true;
    await recorder.mended();
    const { nativeSessionId } = recorder.state;
    if (nativeSessionId !== null) log.setNativeSessionId(nativeSessionId);
    await closeWhatWasRunning(recorder, this.#session.config, this.#host.restartReason);
    const { waiting, lost, lastLost, title } = await this.#turns();
    if (lastLost) await recorder.record(notRunAgain(lastLost, lost));
    this.#session.restore(waiting, title);
  }

  /**
   * Which turns wait, which were started as far as anybody knows, and the first message's title. A turn that was admitted
   * behind the end of the log, or before one that was, may have run: the log has lost what it knew.
   */
  async #turns() {
    const { head, knownHead } = this.#stored;
    const { ended, lastTurnId } = this.#session.recorder.state;
    let waiting: TurnRecord[] = [];
    let lost = 0;
    let lastLost: TurnRecord | undefined;
    let title: string | undefined;
    let isBehindLast = lastTurnId === null;
    const lose = () => {
      lost += waiting.length;
      lastLost = waiting.at(-1) ?? lastLost;
      waiting = [];
    };
    for await (const turn of this.#host.store.turns(this.#session.id)) {
      if (isWithdrawal(turn)) {
        waiting = waiting.filter(({ turnId }) => turnId !== turn.turnId);
        continue;
      }
      title ??= titleFrom(turn.message);
      if (isBehindLast && ended === null) waiting.push(turn);
      if (turn.after > head) lose();
      if (turn.turnId !== lastTurnId) continue;
      // If the record of the last one is lost, what is left is older than it and none of it waits.
      isBehindLast = true;
    }
    if (knownHead > head) lose();
    return { waiting, lost, lastLost, title };
  }
}

async function closeWhatWasRunning(
  recorder: SessionRecorder,
  { restored }: SessionConfig,
  restartReason: string | undefined,
): Promise<void> {
  const { state } = recorder;
  if (!state.started) await recorder.record([sessionStarted(restored)]);
  if (state.ended || state.turnId === null) return;
  const sentences = [
    "The daemon restarted while this turn was running.",
    restartReason,
    "Send the message again to go on.",
  ];
  const message = sentences.filter(Boolean).join(" ");
  await recorder.record([...closeOpen(state), turnEnded(state.turnId, { reason: "error", message })]);
}

/** Why old messages stay unanswered. The last of them becomes a turn, so that the next start does not take them up again. */
function notRunAgain(last: TurnRecord, count: number) {
  const message =
    `The log of this session has lost events. ${count} of its messages may have been answered in them and are not sent ` +
    "to the agent again. Send again what is still needed.";
  return [
    daemonEvent({ type: "error", data: { message, code: "internal_error", details: { messages: count } } }),
    ...startOfTurn(last),
    turnEnded(last.turnId, { reason: "error", message }),
  ];
}

/** A checkpoint that is not what was written here is as good as none. */
function asSnapshot(value: unknown): Snapshot | undefined {
  const { state } = (value ?? {}) as Partial<Snapshot>;
  if (typeof state !== "object" || state === null) return undefined;
  const isObject = (field: unknown) => typeof field === "object" && field !== null;
  const { sequence, permissions, questions, openItems, changes } = state;
  const isWhole =
    Number.isSafeInteger(sequence) &&
    [permissions, questions, openItems].every(isObject) &&
    Object.values(openItems).every((open) => Number.isFinite(open?.size) && Array.isArray(open?.deltas));
  return isWhole && (changes === undefined || isObject(changes)) ? (value as Snapshot) : undefined;
}

/** Checkpoints are also kept in the middle of turns. */
function isAtRest({ turnId, openItems }: SessionState): boolean {
  return turnId === null && Object.keys(openItems).length === 0;
}

function withConfig(record: StoredSession["record"]): StoredSession["record"] {
  const unknown: SessionConfig = {
    agent: "unknown",
    agentMode: "build",
    permissionMode: "default",
    directory: "/dev/null",
  };
  return { ...record, config: { ...unknown, ...(record.config as Partial<SessionConfig> | null) } };
}

function damaged(sessionId: string, cause: unknown): SandboxError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const sentence = `The files of session "${sessionId}" are damaged (${why}). Read what is left of it, or delete it.`;
  return new SandboxError("internal_error", sentence, { sessionId, cause });
}

function notRecovered(sessionId: string, cause: unknown): SandboxError {
  const { message, details } = asSandboxError(cause, { sessionId });
  const sentence = `Session "${sessionId}" could not be recovered: ${message} It can be read and deleted.`;
  return new SandboxError("internal_error", sentence, { sessionId, details, cause });
}
