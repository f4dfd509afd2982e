import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TurnOutcome } from "@sandbox-agent/agents";
import {
  createSessionState,
  type EventDraft,
  type MessageRequest,
  type PermissionReply,
  SandboxError,
  type TurnEndReason,
} from "@sandbox-agent/protocol";
import type { SessionLog, SessionRecord, TurnRecord } from "@sandbox-agent/store";
import { AgentLink } from "./agent-link.ts";
import { asSandboxError } from "./as-sandbox-error.ts";
import { Deferred } from "./deferred.ts";
import { daemonEvent, sessionEnded, turnEnded, turnStarted, userMessage } from "./drafts.ts";
import { closeOpen } from "./lifecycle.ts";
import { answerPermission, answerQuestion } from "./requests.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionRecorder } from "./session-recorder.ts";
import { titleFrom } from "./session-title.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Between attempts to write the end of a turn to a disk that took nothing. */
const retryWriteMs = 1_000;

interface RunningTurn {
  readonly turnId: string;
  readonly ended: Deferred<void>;
  /** Why it stops before the agent says so; the first reason wins. */
  stop?: { reason: TurnEndReason; message?: string };
}

/**
 * One conversation: messages queue up, one turn runs at a time, everything that happens is recorded. It owns its agent
 * from the first message to the last, and nothing of the agent outlives it.
 */
export class Session {
  readonly id: string;
  readonly createdAt: number;
  readonly config: SessionConfig;
  readonly recorder: SessionRecorder;
  title: string | undefined;
  readonly #host: SessionHost;
  readonly #queue: TurnQueue;
  readonly #agent: AgentLink;
  /** What the agent said before `session.started` was written. */
  #early: EventDraft[] = [];
  #running: RunningTurn | undefined;
  #pumping = false;
  #stopped = false;
  #ending: Promise<void> | undefined;

  constructor(
    record: SessionRecord,
    recorder: SessionRecorder,
    host: SessionHost,
    recovered: { waiting: readonly TurnRecord[]; title: string | undefined } = { waiting: [], title: undefined },
  ) {
    this.id = record.sessionId;
    this.createdAt = record.createdAt;
    this.config = record.config as SessionConfig;
    this.title = this.config.title ?? recovered.title;
    this.recorder = recorder;
    this.#host = host;
    this.#queue = new TurnQueue(host.store, this.id, recovered.waiting);
    this.#agent = new AgentLink({
      sessionId: this.id,
      config: this.config,
      host,
      nativeSessionId: () => recorder.state.nativeSessionId,
      setNativeSessionId: (id) => recorder.setNativeSessionId(id),
      emit: (drafts) => this.#recordFromAgent(drafts),
    });
  }

  get log(): SessionLog {
    return this.recorder.log;
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#queue.length > 0;
  }

  get ended(): boolean {
    return this.recorder.state.ended !== null;
  }

  /** Connect to the agent for the first time. The session is there whether or not that works. */
  async begin(): Promise<SandboxError | undefined> {
    const problem = await this.#agent.open().then(
      () => undefined,
      (error: unknown) => asSandboxError(error, { agent: this.config.agent, sessionId: this.id }),
    );
    const early = this.#early;
    this.#early = [];
    await this.recorder.recordDurably([daemonEvent({ type: "session.started", data: {} }), ...early]);
    this.#checkpoint();
    return problem;
  }

  /** Go on after a restart with the turns that were waiting. */
  resume(): void {
    if (!this.ended) this.#pump();
  }

  /** Take a message in; its turn runs when those before it have ended. A retry gets the turn it had, even at the end. */
  async admit(request: MessageRequest, idempotencyKey: string | undefined): Promise<TurnRecord> {
    const isOver = () => this.ended || this.#ending !== undefined;
    if (isOver()) {
      const known = await this.#queue.find(request, idempotencyKey);
      if (known) return known;
    }
    const turn = await this.#queue.admit(request, idempotencyKey, () => {
      if (isOver()) throw this.#endedError();
      return this.log.head;
    });
    this.title ??= titleFrom(request.message);
    this.#pump();
    return turn;
  }

  /** Stop the running turn and wait until it has ended. Does nothing when none runs. */
  async interrupt(): Promise<void> {
    if (this.ended) throw this.#endedError();
    const running = this.#running;
    if (!running) return;
    running.stop ??= { reason: "interrupted" };
    this.#askToStop().catch((err: unknown) => this.#host.log.warn({ err, sessionId: this.id }, "interrupt failed"));
    const limit = new AbortController();
    const late = delay(this.#host.interruptLimitMs, true, { signal: limit.signal }).catch(() => false);
    const tooLate = await Promise.race([running.ended.promise.then(() => false), late]);
    limit.abort();
    if (tooLate) void this.#agent.close();
    await running.ended.promise;
  }

  replyPermission(permissionId: string, reply: PermissionReply): Promise<void> {
    return answerPermission(this.recorder, permissionId, reply, () => this.#agent.current());
  }

  replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    return answerQuestion(this.recorder, questionId, answers, () => this.#agent.current());
  }

  /** End the session for good. When it resolves no process of its agent is left. */
  terminate(): Promise<void> {
    this.#ending ??= this.#terminate();
    return this.#ending;
  }

  /** Let go of everything, leaving the session as it can go on after a restart. */
  async shutDown(): Promise<void> {
    this.#stopped = true;
    await this.#stopRunning("The daemon was stopped while this turn was running.");
  }

  async #terminate(): Promise<void> {
    this.#queue.clear();
    await this.#stopRunning("The session was terminated.");
    if (this.ended) return;
    await this.recorder.record([sessionEnded({ reason: "terminated", terminated_by: "daemon" })]);
    await this.#finish();
  }

  async #askToStop(): Promise<void> {
    const agent = await this.#agent.current();
    await agent?.interrupt();
  }

  async #stopRunning(message: string): Promise<void> {
    const running = this.#running;
    if (running) running.stop ??= { reason: "interrupted", message };
    await this.#agent.close();
    await running?.ended.promise;
  }

  /** Everything that follows from `session.ended` being recorded. */
  async #finish(): Promise<void> {
    this.#queue.clear();
    this.log.finish();
    await this.log.sync();
    this.#checkpoint();
    await this.#agent.close();
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    this.#runWaiting()
      .catch((err: unknown) => this.#host.log.error({ err, sessionId: this.id }, "the turn loop failed"))
      .finally(() => {
        this.#pumping = false;
        if (this.#queue.length > 0 && !this.#stopped && !this.ended) this.#pump();
      });
  }

  async #runWaiting(): Promise<void> {
    while (!this.#stopped && !this.ended) {
      const turn = await this.#queue.next();
      if (!turn) return;
      await this.#run(turn);
    }
  }

  async #run(turn: TurnRecord): Promise<void> {
    const running: RunningTurn = { turnId: turn.turnId, ended: new Deferred() };
    this.#running = running;
    let outcome: TurnOutcome;
    let failure: EventDraft | undefined;
    try {
      const itemId = `itm_${randomBytes(6).toString("base64url")}`;
      await this.recorder.record([turnStarted(turn.turnId), ...userMessage(itemId, turn.message, turn.attachments)]);
      outcome = await this.#prompt(turn, running);
    } catch (error) {
      await this.#agent.close();
      const { code, message, details } = asSandboxError(error, { agent: this.config.agent, sessionId: this.id });
      outcome = { reason: "error", message };
      failure = daemonEvent({ type: "error", data: { message, code, ...(details === undefined ? {} : { details }) } });
    }
    await this.#endTurn(running, outcome, failure);
    this.#running = undefined;
    if (!this.busy) this.#checkpoint();
    running.ended.resolve();
  }

  async #prompt(turn: TurnRecord, running: RunningTurn): Promise<TurnOutcome> {
    const { agent, lost } = await this.#agent.open();
    if (running.stop) return { reason: running.stop.reason };
    return Promise.race([agent.prompt(turn), lost]);
  }

  /** Write the end of a turn with all it left open, however often it takes: a full disk delays it and loses nothing else. */
  async #endTurn(running: RunningTurn, outcome: TurnOutcome, failure: EventDraft | undefined): Promise<void> {
    const { sessionEnded: over, ...end } = outcome;
    const stop = running.stop;
    const metadata = stop ? { ...end, ...stop } : end;
    while (true) {
      const drafts: EventDraft[] = [];
      if (this.recorder.state.turnId === running.turnId) {
        drafts.push(...closeOpen(this.recorder.state));
        if (failure && !stop) drafts.push(failure);
        drafts.push(turnEnded(running.turnId, metadata));
      }
      if (over) drafts.push({ type: "session.ended", data: over, source: "agent", synthetic: false });
      try {
        await this.recorder.record(drafts);
        if (over) await this.#finish();
        return;
      } catch (err) {
        this.#host.log.error({ err, sessionId: this.id }, "the end of a turn could not be written; trying again");
        if (this.#stopped) return;
        await delay(retryWriteMs);
        await this.recorder.reload(createSessionState());
      }
    }
  }

  #recordFromAgent(drafts: readonly EventDraft[]): void {
    if (this.ended) return;
    if (!this.recorder.state.started) {
      this.#early.push(...drafts);
      return;
    }
    this.recorder
      .record(drafts.filter((draft) => this.#mayEmit(draft)))
      .then(() => (this.ended ? this.#finish() : undefined))
      .catch((error: unknown) => {
        const { message } = asSandboxError(error, { sessionId: this.id });
        if (this.#running) this.#running.stop ??= { reason: "error", message };
        return this.#agent.close();
      });
  }

  /** Late answers of an agent to requests a person has settled are not news. */
  #mayEmit(draft: EventDraft): boolean {
    const { permissions, questions } = this.recorder.state;
    if (draft.type === "permission.resolved") return draft.data.permission_id in permissions;
    if (draft.type === "question.resolved") return draft.data.question_id in questions;
    return true;
  }

  #checkpoint(): void {
    this.#host.store.checkpoint(this.id, {
      state: { ...this.recorder.state, sequence: this.log.head },
      title: this.title,
    });
  }

  #endedError(): SandboxError {
    return new SandboxError("session_ended", `Session "${this.id}" has ended. Create a new one to go on.`, {
      sessionId: this.id,
    });
  }
}
