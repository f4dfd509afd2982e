import { resolve } from "node:path";
import type { TurnOutcome } from "@sandbox-agent-ts/agents";
import {
  type AgentError,
  daemonEvent,
  type EventDraft,
  type PermissionReplyRequest,
  SandboxError,
  type SessionChanges,
  sessionEnded,
  titleFrom,
} from "@sandbox-agent-ts/protocol";
import { changeOfEvents } from "@sandbox-agent-ts/server";
import type { SessionLog, SessionRecord, TurnRecord } from "@sandbox-agent-ts/store";
import { DirectoryChanges } from "../changes/directory-changes.ts";
import { secretsOfSession } from "../secrets/secret-variables.ts";
import type { AdmittedTurn } from "./admitted-turns.ts";
import { AgentEvents } from "./agent-events.ts";
import { AgentLink } from "./agent-link.ts";
import { asSandboxError } from "./as-sandbox-error.ts";
import { Checkpoints } from "./checkpoints.ts";
import { sessionStarted } from "./restore-session.ts";
import { RunningTurn } from "./running-turn.ts";
import { changedConfig, type SessionConfig } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionRecorder } from "./session-recorder.ts";
import { SessionRequests } from "./session-requests.ts";
import { TurnLoop } from "./turn-loop.ts";
import { type Admission, type IncomingMessage, TurnQueue } from "./turn-queue.ts";

/** What an earlier life of the daemon left. */
interface Recovered {
  readonly title: string | undefined;
  readonly memory: unknown;
}

/**
 * One conversation: messages queue up, one turn runs at a time, everything that happens is recorded. It owns its agent
 * from the first message to the last, and nothing of the agent outlives it.
 */
export class Session {
  readonly id: string;
  record: SessionRecord;
  readonly createdAt: number;
  readonly recorder: SessionRecorder;
  readonly changes: DirectoryChanges;
  title: string | undefined;
  readonly #host: SessionHost;
  readonly #queue: TurnQueue;
  readonly #agent: AgentLink;
  readonly #requests: SessionRequests;
  readonly #agentEvents: AgentEvents;
  readonly #turns: TurnLoop;
  readonly #checkpoints: Checkpoints;
  /** What the agent wants to find again. */
  #memory: unknown;
  /** The files of the messages whose turns have started. */
  readonly #attached = new Set<string>();
  #stopped = false;
  #ending: Promise<void> | undefined;
  #problem: SandboxError | undefined;

  constructor(
    record: SessionRecord,
    recorder: SessionRecorder,
    host: SessionHost,
    recovered: Recovered = { title: undefined, memory: null },
  ) {
    this.id = record.sessionId;
    this.record = record;
    this.createdAt = record.createdAt;
    this.recorder = recorder;
    host.secrets.add(secretsOfSession(this.config));
    this.title = this.config.title ?? recovered.title;
    recorder.onRecorded = (drafts) => host.changed(this.id, changeOfEvents(drafts));
    this.#memory = recovered.memory;
    this.#host = host;
    this.#queue = new TurnQueue(host.store, this.id);
    this.#agent = new AgentLink({
      sessionId: this.id,
      config: () => this.config,
      host,
      nativeSessionId: () => recorder.state.nativeSessionId,
      setNativeSessionId: (id) => recorder.setNativeSessionId(id),
      memory: () => this.#memory,
      remember: (memory) => this.#remember(memory),
      emit: (drafts) => this.#agentEvents.emit(drafts),
    });
    this.#requests = new SessionRequests({
      recorder,
      agent: this.#agent,
      config: () => this.config,
      isAttached: (path) => this.#attached.has(path),
      log: host.log,
    });
    this.#checkpoints = new Checkpoints(this, host);
    this.changes = new DirectoryChanges({
      sessionId: this.id,
      uid: record.uid,
      directory: this.config.directory,
      createdAt: this.createdAt,
      snapshots: host.snapshots?.of(this.config.directory),
      turns: () => host.store.turns(this.id),
      events: () => recorder.events(),
    });
    this.#agentEvents = new AgentEvents({
      recorder,
      agent: this.#agent,
      requests: this.#requests,
      changes: this.changes,
      config: () => this.config,
      onRecorded: () => this.#checkpoints.duringTurn(),
      onSessionEnded: () => this.#finish(),
      onFailure: (error) => this.#turns.fail(asSandboxError(error, { sessionId: this.id }).message),
    });
    this.#turns = new TurnLoop({
      sessionId: this.id,
      queue: this.#queue,
      agent: this.#agent,
      host,
      mayContinue: () => !this.#stopped && !this.#isOver,
      create: (turn) => this.#runningTurn(turn),
      onEnd: (outcome) => this.#afterTurn(outcome),
    });
  }

  get log(): SessionLog {
    return this.recorder.log;
  }

  /** The settings that hold now. */
  get config(): SessionConfig {
    return changedConfig(this.record.config as SessionConfig, this.recorder.state.changes);
  }

  get queuedTurns(): number {
    return this.#queue.length;
  }

  /** What waits to run, in order, and what runs. */
  get turns(): { waiting: readonly TurnRecord[]; runningTurnId: string | undefined } {
    return { waiting: this.#queue.waiting, runningTurnId: this.#turns.runningTurnId };
  }

  /** How much text the waiting messages have. */
  get queuedText(): number {
    return this.#queue.textLength;
  }

  get busy(): boolean {
    return this.#turns.isRunning || this.#queue.length > 0;
  }

  get ended(): boolean {
    return this.recorder.state.ended !== null;
  }

  /** Why it can only be read and deleted, if that is so. */
  get problem(): SandboxError | undefined {
    return this.#problem;
  }

  /** Whether it was deleted or shut down. */
  get isReleased(): boolean {
    return this.#stopped;
  }

  /** Whether it has ended or is about to. */
  get #isOver(): boolean {
    return this.ended || this.#ending !== undefined;
  }

  /**
   * Connect to the agent for the first time. The session is there whether or not that works. `notices` stand right behind
   * `session.started`.
   */
  async begin(notices: readonly EventDraft[] = []): Promise<AgentError | undefined> {
    const error = await this.#agent.open().then(
      () => undefined,
      (failure: unknown) => this.#shownError(failure),
    );
    const { creation } = this.config;
    if (error && creation) await this.#setConfig({ creation: { ...creation, error } });
    const early = this.#agentEvents.takeEarly();
    // Not synced: a session whose log a power cut has emptied is started anew.
    await this.recorder.record([sessionStarted(this.config.restored), ...notices, ...early]);
    return error;
  }

  #shownError(failure: unknown): AgentError {
    const error = asSandboxError(failure, { agent: this.config.agent, sessionId: this.id }).toAgentError();
    return this.#host.secrets.redactIn(error);
  }

  /** What could be found again of its turns after a restart. */
  restore(waiting: readonly TurnRecord[], title: string | undefined): void {
    this.#queue.restore(waiting);
    this.title ??= title;
  }

  /** Let it only be read and deleted, for a reason that everybody else is told; without one it is as others again. */
  setAside(problem: SandboxError | undefined): void {
    this.#problem = problem;
    this.#host.changed(this.id, "changed");
  }

  /** Go on after a restart with the turns that were waiting. */
  resume(): void {
    if (!this.ended && !this.#problem) this.#turns.wake();
  }

  /**
   * Take a message in; its turn runs when those before it have ended. Resolves when it is durable, for which the turn does
   * not wait: a sender who is refused for that tries again with the same key. A retry gets the turn it had, even at the end.
   */
  async admit(request: IncomingMessage): Promise<AdmittedTurn> {
    this.#refuseIfAside();
    const { turn, durable } = await this.#admission(request);
    this.title ??= titleFrom(request.message);
    this.#host.changed(this.id, "changed");
    this.#turns.wake();
    await durable();
    return turn;
  }

  /** Take a waiting turn back. Resolves when it can never run, also after a restart. Idempotent. */
  async withdraw(turnId: string): Promise<void> {
    this.#refuseIfAside();
    const found = await this.#queue.withdraw(turnId);
    if (found === "unknown") throw turnNotFound(this.id, turnId);
    if (found === "begun")
      throw this.ended ? this.#endedError() : turnStarted(this.id, turnId, this.turns.runningTurnId);
    this.#host.changed(this.id, "changed");
  }

  /** Aborted when the turn is taken back; undefined when it does not wait. */
  withdrawal(turnId: string): AbortSignal | undefined {
    return this.#queue.withdrawal(turnId);
  }

  /** Stop the running turn and wait until it has ended. Does nothing when none runs. */
  async interrupt(): Promise<void> {
    this.#refuseIfAside();
    if (this.ended) throw this.#endedError();
    await this.#turns.interrupt();
  }

  async replyPermission(permissionId: string, reply: PermissionReplyRequest): Promise<void> {
    this.#refuseIfAside();
    return this.#requests.replyPermission(permissionId, reply);
  }

  async replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    this.#refuseIfAside();
    return this.#requests.replyQuestion(questionId, answers);
  }

  /** Settings that hold from the next turn on; those for requests at once. Resolves when they are durable. */
  async update(changes: SessionChanges): Promise<void> {
    this.#refuseIfAside();
    await this.recorder.mended();
    if (this.#isOver) throw this.#endedError();
    await this.recorder.recordDurably([daemonEvent({ type: "session.updated", data: { changes } })]);
    this.#requests.refresh();
  }

  /** Resolves when the title is durable. */
  async rename(title: string): Promise<void> {
    this.#refuseIfAside();
    await this.#setConfig({ title });
    this.title = title;
    this.#host.changed(this.id, "changed");
  }

  /** End the session for good. When it resolves no process of its agent is left. */
  async terminate(): Promise<void> {
    this.#refuseIfAside();
    this.#ending ??= this.#terminate().catch((error: unknown) => {
      this.#ending = undefined;
      this.#turns.wake();
      throw error;
    });
    return this.#ending;
  }

  /** End it as well as the disk allows: it is about to be deleted, which must also work when there is no space left. */
  async discard(): Promise<void> {
    this.#stopped = true;
    if (this.#problem) return;
    await this.terminate().catch((err: unknown) =>
      this.#warn(err, "the end of a deleted session could not be written"),
    );
  }

  /** Let go of everything, leaving the session as it can go on after a restart. */
  async shutDown(): Promise<void> {
    this.#stopped = true;
    const message = "The daemon was stopped while this turn was running.";
    await this.#turns.stop(message).catch(() => {});
    await this.#turns.untilIdle();
    this.#checkpoints.ifDue();
    this.recorder.release();
  }

  async #admission(request: IncomingMessage): Promise<Admission> {
    if (this.#isOver) {
      const known = await this.#queue.find(request);
      if (known) return known;
    }
    return this.#queue.admit(request, () => {
      if (this.#isOver) throw this.#endedError();
      return this.log.head;
    });
  }

  async #terminate(): Promise<void> {
    await this.#turns.stop("The session was terminated.");
    await this.recorder.mended();
    if (this.ended) return;
    await this.recorder.record([sessionEnded({ reason: "terminated", terminated_by: "daemon" })]);
    await this.#finish();
  }

  /** Everything that follows from `session.ended` being recorded. */
  async #finish(): Promise<void> {
    this.#queue.clear();
    this.log.finish();
    await this.log.sync();
    this.#checkpoints.now();
    await this.#agent.close();
  }

  #runningTurn(turn: TurnRecord): RunningTurn {
    for (const { path } of turn.attachments) this.#attached.add(resolve(this.config.directory, path));
    return new RunningTurn({
      turn,
      preamble: this.config.restored?.text,
      commands: this.config.commands,
      agentId: this.config.agent,
      directory: this.config.directory,
      agent: this.#agent,
      recorder: this.recorder,
      host: this.#host,
      ready: this.changes.turnStarts(turn.turnId),
      isLetGo: () => this.#stopped,
    });
  }

  async #afterTurn(outcome: TurnOutcome | undefined): Promise<void> {
    this.#requests.stop();
    if (outcome?.sessionEnded) {
      await this.#finish().catch((err: unknown) => this.#warn(err, "the end of a session could not be made durable"));
    }
    if (outcome) this.#checkpoints.soon();
    if (outcome && outcome.reason !== "error") await this.#forgetText();
  }

  /** The agent has been told what was said elsewhere. */
  async #forgetText(): Promise<void> {
    const { restored } = this.config;
    if (restored?.text === undefined) return;
    const { text: _, ...rest } = restored;
    await this.#setConfig({ restored: rest }).catch((err: unknown) =>
      this.#warn(err, "an agent will be told again what was said elsewhere"),
    );
  }

  /** That it could not be kept is nothing the agent could do something about. */
  #remember(memory: unknown): void {
    this.#memory = memory;
    const keep = async () => this.#host.store.remember(this.id, memory);
    keep().catch((err: unknown) => this.#warn(err, "what an agent wants to remember could not be kept"));
  }

  /** Resolves when the record with it is durable. */
  async #setConfig(changes: Partial<SessionConfig>): Promise<void> {
    const before = this.record;
    this.record = { ...before, config: { ...(before.config as SessionConfig), ...changes } };
    try {
      await this.#host.store.update(this.record);
    } catch (error) {
      this.record = before;
      throw error;
    }
  }

  #refuseIfAside(): void {
    if (this.#problem) throw this.#problem;
  }

  #warn(err: unknown, message: string): void {
    this.#host.log.warn({ err, sessionId: this.id }, message);
  }

  #endedError(): SandboxError {
    return new SandboxError("session_ended", `Session "${this.id}" has ended. Create a new one to go on.`, {
      sessionId: this.id,
    });
  }
}

function turnNotFound(sessionId: string, turnId: string): SandboxError {
  return new SandboxError("turn_not_found", `There is no turn "${turnId}" in session "${sessionId}".`, { sessionId });
}

function turnStarted(sessionId: string, turnId: string, runningTurnId: string | undefined): SandboxError {
  const why = turnId === runningTurnId ? "has started; interrupt it instead" : "has ended";
  return new SandboxError("turn_already_started", `Turn "${turnId}" cannot be withdrawn: it ${why}.`, { sessionId });
}
