import {
  type DiffQuery,
  daemonEvent,
  type MessageRequest,
  type PermissionReplyRequest,
  SandboxError,
  type SessionDiff,
  type SessionInfo,
  type SessionRuntimeState,
  sessionChanges,
  sessionEnded,
  titleFrom,
  type UpdateSessionRequest,
} from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import type { TurnPlace } from "@sandbox-agent-ts/server";
import type { LogReaders } from "@sandbox-agent-ts/store";
import type { OwnedSession } from "../access/may.ts";
import { asSandboxError } from "../agents/agent-catalog.ts";
import { BlockEvents } from "../events/block-events.ts";
import type { AppendedBatch } from "../metrics/runtime-metrics.ts";
import type { LogEntry } from "../mirror/encode-event.ts";
import { listData } from "../persistence/list-data.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { SessionFieldChanges, StoredSession } from "../store/runtime-store.ts";
import { SessionWorkspace } from "../workspace/session-workspace.ts";
import { asSent } from "./as-sent.ts";
import { prepareSandbox } from "./prepare-sandbox.ts";
import { type Answer, RequestAnswers } from "./request-answers.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { sandboxSpec } from "./sandbox-spec.ts";
import type { RuntimeSessionData, SessionListItem } from "./session-data.ts";
import { sessionInfoOf } from "./session-info.ts";
import { type MadeSession, madeParts, type SessionParts, storedParts } from "./session-parts.ts";
import { SessionSandbox } from "./session-sandbox.ts";
import type { SessionSettings } from "./session-settings.ts";
import { sessionSnapshot } from "./session-snapshot.ts";
import { SessionTurns } from "./session-turns.ts";
import { SessionWriter } from "./session-writer.ts";

/** How long a sandbox that is to end is asked for its files. */
const lastCheckpointMs = 15_000;

export type OnChange = (session: AgentSession, entries: readonly LogEntry[]) => void;

export interface SessionInput {
  readonly sessionId: string;
  /** Undefined: one that the store has. */
  readonly made?: MadeSession | undefined;
  readonly onChange: OnChange;
}

/** One session in memory: it takes messages, runs them in its sandbox, and keeps its log. */
export class AgentSession {
  readonly sessionId: string;
  readonly readers: LogReaders;
  readonly #deps: RuntimeDeps;
  readonly #writer: SessionWriter;
  readonly #sandbox: SessionSandbox;
  readonly #answers: RequestAnswers;
  readonly #turns: SessionTurns;
  readonly #onChange: OnChange;
  readonly #blocks: BlockEvents;
  #session: StoredSession;
  /** When something last happened here, for idle sessions and sandboxes. */
  #activeAt = Date.now();

  private constructor(
    deps: RuntimeDeps,
    session: StoredSession,
    parts: { readonly writer: SessionWriter; readonly readers: LogReaders; readonly openTurns: number },
    onChange: OnChange,
  ) {
    const { sessionId, owner } = session;
    const { writer, readers, openTurns } = parts;
    this.#deps = deps;
    this.#session = session;
    this.sessionId = sessionId;
    this.readers = readers;
    this.#writer = writer;
    this.#onChange = onChange;
    this.#blocks = new BlockEvents(sessionId, deps.bus, readers, (err) =>
      deps.log.error({ err, sessionId }, "the blocks of a session could not be told"),
    );
    const workspace = new SessionWorkspace({
      sessionId,
      store: deps.store.checkpoints,
      log: deps.log,
      directory: () => this.settings.directory,
      lease: () => writer.lease,
      head: () => writer.head,
    });
    const sandbox = new SessionSandbox({
      sessionId,
      owner,
      deps,
      writer,
      spec: (generation) => sandboxSpec(deps, this.settings, { session: sessionId, generation: String(generation) }),
      prepare: (made, onStep) => {
        const { settings } = this;
        return prepareSandbox(deps, { sessionId, settings, state: writer.state, readers, workspace }, made, onStep);
      },
      isBusy: () => this.#turns.isRunning,
      beforeEnd: async (ending) => void (await workspace.checkpoint(ending, lastCheckpointMs)),
      onChange: () => this.#statusChanged(),
      onLost: (reason) => this.#turns.sandboxLost(reason),
    });
    this.#sandbox = sandbox;
    const answers = new RequestAnswers(sessionId, deps.store, (question) => this.#ask(question));
    this.#answers = answers;
    const afterTurn = async () => {
      const { current } = sandbox;
      const fault = sandbox.isActive && current ? await workspace.checkpoint(current) : undefined;
      if (current && fault) await sandbox.giveUp(current, `Its files cannot be kept: ${fault}`);
    };
    this.#turns = new SessionTurns({ sessionId, owner, deps, writer, sandbox, answers, afterTurn, open: openTurns });
  }

  /** Bring a session into memory, its sandbox with it if one is there. Makes none. */
  static async create({ sessionId, made, onChange }: SessionInput, deps: RuntimeDeps): Promise<AgentSession> {
    const parts = made ? madeParts(made, deps) : await storedParts(sessionId, deps);
    const loaded = AgentSession.#assemble(deps, parts, onChange);
    if (made) return loaded;
    if (parts.session.head === 0 && deps.persistence) {
      await loaded.#begin(await deps.persistence.conversation(parts.session));
    }
    await loaded.#sandbox.recover();
    loaded.#turns.wake();
    return loaded;
  }

  static #assemble(deps: RuntimeDeps, parts: SessionParts, onChange: OnChange): AgentSession {
    const { session, lease, readers, state, openTurns } = parts;
    let loaded: AgentSession;
    const onWritten = (entries: readonly LogEntry[], batch: AppendedBatch) => {
      deps.metrics.appended(entries, batch);
      loaded.#written(entries);
    };
    const onFailed = () => loaded.#onChange(loaded, []);
    const writer = new SessionWriter({ store: deps.store, session, lease, state, readers, onWritten, onFailed });
    loaded = new AgentSession(deps, session, { writer, readers, openTurns }, onChange);
    if (state.ended) readers.finish();
    return loaded;
  }

  /** The log of a session that was made outside of the runtime: what the application has of it. */
  #begin(entries: readonly LogEntry[]): Promise<void> {
    return this.#writer.append(entries);
  }

  get settings(): SessionSettings {
    return (this.#session.settings as SessionSettings | null) ?? { agent: this.#session.agent };
  }

  get owner(): string {
    return this.#session.owner;
  }

  get ownership(): OwnedSession {
    const { sessionId, uid, owner } = this.#session;
    return { sessionId, uid, owner };
  }

  /** Why nothing more can be written, if that is so: it has to be loaded again. */
  get failure(): unknown {
    return this.#writer.failure;
  }

  get isRunning(): boolean {
    return this.#turns.isRunning;
  }

  get activeAt(): number {
    return this.#activeAt;
  }

  getRuntimeState(): SessionRuntimeState {
    return { isLoaded: true, sandbox: this.#sandbox.state };
  }

  info(): SessionInfo {
    const { head, state } = this.#writer;
    const running = state.turnId === null ? 0 : 1;
    return sessionInfoOf({ ...this.#session, head, lastActivity: this.#activeAt }, state, {
      runtime: this.getRuntimeState(),
      queuedTurns: Math.max(0, this.#turns.open - running),
      isBusy: this.#turns.open > 0,
    });
  }

  /** The session in a list. */
  getListData(): SessionListItem {
    return { ...listData({ ...this.#session, lastActivity: this.#activeAt }), runtime: this.getRuntimeState() };
  }

  /** The whole session as it is now. */
  async getState(): Promise<RuntimeSessionData> {
    return (await sessionSnapshot(this.#deps, this.#session, this.readers, this.getListData())).state;
  }

  /** Keep a message and answer; its turn runs when those before it have ended, in a sandbox that is made if there is none. */
  async sendMessage(message: string | MessageRequest, idempotencyKey?: string): Promise<TurnPlace> {
    const request = typeof message === "string" ? { message } : message;
    this.#refuseIfEnded();
    const { isNew, ...place } = await this.#turns.admit(request, idempotencyKey);
    const title = isNew && this.#session.title === undefined ? titleFrom(request.message) : undefined;
    if (title !== undefined) await this.keep({ title });
    this.#touch();
    this.#turns.wake();
    return place;
  }

  /** Take back a message whose turn has not begun. */
  async withdrawTurn(turnId: string): Promise<void> {
    await this.#turns.withdraw(turnId);
    this.#touch();
  }

  /** Stop the running turn, or the start of the sandbox it waits for. */
  async interrupt(): Promise<void> {
    this.#refuseIfEnded();
    if (this.#sandbox.cancelActivation()) return;
    await this.#sandbox.found();
    if (!this.isRunning || !this.#sandbox.isActive) return;
    await this.#ask((client) => client.interruptSession(this.sessionId));
    await this.#writer.settled();
  }

  async replyPermission(permissionId: string, reply: PermissionReplyRequest): Promise<void> {
    await this.#answer(permissionId, { permission: reply });
  }

  async replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    await this.#answer(questionId, { question: answers });
  }

  /** The sandbox is told now, or when it is back. */
  async #answer(requestId: string, answer: Answer): Promise<void> {
    await this.#answers.keep(requestId, answer);
    this.#touch();
    if (this.#sandbox.isActive) await this.#answers.send(requestId, answer);
  }

  /** Settings that hold from the next turn on. */
  async update(request: UpdateSessionRequest): Promise<SessionInfo> {
    const { title, ...settings } = request;
    if (Object.keys(settings).length > 0) {
      this.#refuseIfEnded();
      await this.#sandbox.found();
      if (this.#sandbox.isActive) await this.#ask((client) => client.updateSession(this.sessionId, asSent(settings)));
      else {
        const changes = sessionChanges(settings);
        await this.#turns.record([daemonEvent({ type: "session.updated", data: { changes } })]);
      }
    }
    if (title !== undefined) await this.keep({ title });
    return this.info();
  }

  /** Change what is kept of it beside its log. */
  async keep(changes: Pick<SessionFieldChanges, "title" | "metadata">): Promise<void> {
    await this.#deps.store.updateSession(this.sessionId, changes);
    this.#session = { ...this.#session, ...changes };
    this.#onChange(this, []);
  }

  /** What changed in its directory; as a patch also byte by byte. */
  async diff({ format, ...query }: DiffQuery): Promise<SessionDiff & { readonly patch?: Uint8Array }> {
    await this.existingSandbox();
    return this.#ask(async (client) => {
      if (format !== "patch") return client.getDiff(this.sessionId, asSent(format ? { ...query, format } : query));
      const [diff, patch] = await Promise.all([
        client.getDiff(this.sessionId, asSent({ ...query, format: "summary" as const })),
        client.getPatch(this.sessionId, asSent(query)),
      ]);
      return { ...diff, patch };
    });
  }

  /** The sandbox, if it is there and awake. */
  get activeSandbox(): AgentSandbox | undefined {
    return this.#sandbox.isActive ? this.#sandbox.current : undefined;
  }

  /** Whether there is a sandbox to look into, perhaps asleep. */
  get hasSandbox(): boolean {
    return this.#sandbox.exists;
  }

  /** The sandbox, made if there is none. */
  sandbox(): Promise<AgentSandbox> {
    return this.#sandbox.activate();
  }

  /** The sandbox, for who only looks: none is made. */
  async existingSandbox(): Promise<AgentSandbox> {
    await this.#sandbox.found();
    if (this.#sandbox.exists) return this.#sandbox.activate();
    const sentence = `Session "${this.sessionId}" has no sandbox now, and so no files. Its next message makes one.`;
    throw new SandboxError("not_found", sentence, { sessionId: this.sessionId });
  }

  /** End the session for good; its log stays. */
  async terminate(): Promise<void> {
    if (this.#writer.state.ended) return;
    await this.deactivateSandbox("The session was terminated.");
    await this.#turns.record([sessionEnded({ reason: "terminated", terminated_by: "daemon" })]);
  }

  /** End the sandbox and keep the session; a turn that runs in it ends with this reason. */
  async deactivateSandbox(reason: string): Promise<void> {
    await this.#sandbox.terminate(reason);
    await this.#turns.close({ reason: "interrupted", message: reason });
  }

  /** Pause the sandbox of a session in which nothing runs. */
  async suspendIfIdle(): Promise<void> {
    if (!this.isRunning && this.#sandbox.isActive) await this.#sandbox.suspend();
  }

  /** Leave the memory, with the sandbox ended. */
  async destroy(): Promise<void> {
    this.#turns.release();
    await this.deactivateSandbox("The session was unloaded.");
    await this.release();
  }

  /** Leave the memory and nothing else: the sandbox goes on, and whoever loads the session next finds it again. */
  async release(): Promise<void> {
    this.#turns.release();
    await this.#sandbox.release();
    await this.#turns.stopped();
    await this.#writer.settled();
    await this.#deps.store.releaseLease(this.#writer.lease);
  }

  async #ask<T>(question: (client: SandboxAgent) => Promise<T>): Promise<T> {
    try {
      return await question((await this.sandbox()).client);
    } catch (error) {
      throw asSandboxError(error);
    }
  }

  #written(entries: readonly LogEntry[]): void {
    this.#activeAt = Date.now();
    if (this.#writer.state.ended) this.readers.finish();
    this.#turns.written(entries);
    this.#blocks.written(entries);
    this.#onChange(this, entries);
  }

  #touch(): void {
    this.#activeAt = Date.now();
    this.#onChange(this, []);
  }

  #statusChanged(): void {
    this.#deps.bus.emit("session:status", { sessionId: this.sessionId, runtime: this.getRuntimeState() });
    this.#onChange(this, []);
  }

  #refuseIfEnded(): void {
    if (!this.#writer.state.ended) return;
    const sentence = `Session "${this.sessionId}" has ended. Create a new one to go on.`;
    throw new SandboxError("session_ended", sentence, { sessionId: this.sessionId });
  }
}
