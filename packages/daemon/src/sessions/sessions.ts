import { randomBytes } from "node:crypto";
import {
  type AgentError,
  type CreateSessionRequest,
  createSessionState,
  type RestoreRequest,
  SandboxError,
  type SessionListQuery,
  sessionChanges,
  type UpdateSessionRequest,
} from "@sandbox-agent-ts/protocol";
import { SessionListFeed } from "@sandbox-agent-ts/server";
import type { EventLog, SessionRecord } from "@sandbox-agent-ts/store";
import type { Agents } from "../agents/agents.ts";
import type { Snapshots } from "../changes/snapshots.ts";
import { secretsOfSession } from "../secrets/secret-variables.ts";
import { Secrets } from "../secrets/secrets.ts";
import type { Attachments } from "./attachments.ts";
import { OpenText } from "./open-text.ts";
import { recoverSession } from "./recover-session.ts";
import { type Restoration, restoreSession } from "./restore-session.ts";
import { noticeOfRuntimeSettings } from "./runtime-settings.ts";
import { Session } from "./session.ts";
import { changedConfig, type SessionConfig, sessionConfig, settingsOfAgent } from "./session-config.ts";
import { sessionDirectory } from "./session-directory.ts";
import type { SessionHost } from "./session-host.ts";
import { SessionIndex } from "./session-index.ts";
import { sessionListEntry } from "./session-info.ts";
import { type SessionPage, sessionPage } from "./session-page.ts";
import { noticeOfLosses, removePlacedFiles, withProfile } from "./session-profile.ts";
import { SessionRecorder } from "./session-recorder.ts";

const maxSessionIdLength = 512;
/** How long an agent may take to stop by itself before its process is ended. */
const defaultInterruptLimitMs = 10_000;
/** Between attempts to write to a disk that took nothing. */
const defaultRetryWriteMs = 1_000;

/** As many as are read again in a second or two. */
const defaultCheckpointEvents = 200_000;

export interface SessionsOptions
  extends Partial<
    Pick<SessionHost, "interruptLimitMs" | "retryWriteMs" | "checkpointEvents" | "openText" | "secrets">
  > {
  readonly snapshots?: Snapshots;
  readonly restartReason?: string;
}

export interface CreatedSession {
  readonly session: Session;
  /** Why its agent could not be reached. */
  readonly error: AgentError | undefined;
}

/** All sessions of the daemon, by id. */
export class Sessions {
  /** Which of them are created, change or are deleted. */
  readonly changes: SessionListFeed;
  readonly attachments: Attachments;
  readonly #logs: EventLog;
  readonly #agents: Agents;
  readonly #host: SessionHost;
  readonly #sessions = new SessionIndex();
  readonly #reserved = new Set<string>();
  /** Those that are being created with a key. */
  readonly #creating = new Map<string, { idempotencyKey: string; created: Promise<CreatedSession> }>();
  /** How to give up a create that waits for its agent to be installed. */
  readonly #installing = new Map<string, () => void>();

  constructor(
    logs: EventLog,
    agents: Agents,
    attachments: Attachments,
    {
      interruptLimitMs = defaultInterruptLimitMs,
      retryWriteMs = defaultRetryWriteMs,
      checkpointEvents = defaultCheckpointEvents,
      openText = new OpenText(),
      secrets = new Secrets(),
      snapshots,
      restartReason,
    }: SessionsOptions = {},
  ) {
    this.#logs = logs;
    this.#agents = agents;
    this.attachments = attachments;
    this.changes = new SessionListFeed((id) => {
      const session = this.#sessions.get(id);
      return session && sessionListEntry(session);
    });
    this.#host = {
      store: logs.store,
      log: agents.log,
      interruptLimitMs,
      retryWriteMs,
      checkpointEvents,
      openText,
      secrets,
      snapshots,
      restartReason,
      agent: async (id, version) => {
        if (version !== undefined) await agents.ensureInstalled(id, version);
        return agents.get(id);
      },
      changed: (sessionId, change) => this.changes.touch(sessionId, change),
    };
  }

  /** Read what the store keeps and go on where it stopped. */
  async recover(): Promise<void> {
    const kept = await this.#logs.store.sessions();
    for (const stored of kept) {
      this.#sessions.add(await recoverSession(stored, this.#logs, this.#host));
    }
    await this.#host.snapshots?.keepOnly(new Set(kept.map(({ record }) => record.uid)));
    for (const session of this.list()) session.resume();
  }

  /** What sessions hold in memory, in characters, and how much they may. */
  get memory(): { sessions: number; openText: number; maxOpenText: number; queuedText: number } {
    const sessions = this.list();
    const { used, limit } = this.#host.openText;
    const queuedText = sessions.reduce((sum, session) => sum + session.queuedText, 0);
    return { sessions: sessions.length, openText: used, maxOpenText: limit, queuedText };
  }

  /** Newest first. */
  list(): Session[] {
    return [...this.#sessions.newestFirst()];
  }

  page(query: SessionListQuery): SessionPage {
    return sessionPage(this.#sessions, query);
  }

  get(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (!session) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
    return session;
  }

  /**
   * Everything is checked before anything happens; of two that come at once, one wins and the other is told so. A retry
   * with the same key is answered as the first one was, which it waits for.
   */
  async create(sessionId: string, request: CreateSessionRequest, idempotencyKey?: string): Promise<CreatedSession> {
    const known = idempotencyKey === undefined ? undefined : this.#createdWith(sessionId, idempotencyKey);
    if (known) return known;
    this.#reserve(sessionId);
    const creating = this.#create(sessionId, request, idempotencyKey).finally(() => {
      this.#reserved.delete(sessionId);
      this.#creating.delete(sessionId);
    });
    if (idempotencyKey !== undefined) this.#creating.set(sessionId, { idempotencyKey, created: creating });
    return creating;
  }

  #createdWith(sessionId: string, key: string): Promise<CreatedSession> | CreatedSession | undefined {
    const creating = this.#creating.get(sessionId);
    if (creating?.idempotencyKey === key) return creating.created;
    const session = this.#sessions.get(sessionId);
    const { creation } = session?.config ?? {};
    return session && creation?.idempotencyKey === key ? { session, error: creation.error } : undefined;
  }

  async #create(
    sessionId: string,
    request: CreateSessionRequest,
    idempotencyKey: string | undefined,
  ): Promise<CreatedSession> {
    const asked: SessionConfig = {
      ...sessionConfig(request, await sessionDirectory(request.directory)),
      ...(idempotencyKey === undefined ? {} : { creation: { idempotencyKey } }),
    };
    this.#host.secrets.add(secretsOfSession(asked));
    await this.#agents.check(asked);
    const installing = this.#agents.ensureInstalled(asked.agent, asked.agentVersion);
    const agentVersion = await this.#install(sessionId, installing);
    const kept = agentVersion === undefined ? asked : { ...asked, agentVersion };
    const config = await this.#giveProfile(sessionId, kept, request.profile);
    try {
      return await this.#begin(sessionId, config, request);
    } catch (error) {
      if (!this.#sessions.has(sessionId)) await this.#takeProfile(sessionId, config);
      throw error;
    }
  }

  async #begin(sessionId: string, config: SessionConfig, request: CreateSessionRequest): Promise<CreatedSession> {
    await this.#agents.checkMode(config);
    await this.#agents.checkModel(config);
    const { restored, memory = null } = await this.#restore(sessionId, config, request.restore);
    const record: SessionRecord = {
      sessionId,
      uid: randomBytes(9).toString("base64url"),
      createdAt: Date.now(),
      config: restored ? { ...config, restored } : config,
    };
    await this.#logs.store.create(record);
    if (memory !== null) await this.#logs.store.remember(sessionId, memory);
    const nativeSessionId = restored?.nativeSessionId ?? null;
    const recorder = new SessionRecorder(
      this.#logs.open(record, nativeSessionId),
      { ...createSessionState(), nativeSessionId },
      record.createdAt,
      this.#host,
    );
    const session = new Session(record, recorder, this.#host, { title: undefined, memory });
    const notices = [...noticeOfRuntimeSettings(request), ...noticeOfLosses(config.profileLosses)];
    const error = await session.begin(notices).catch(async (failure: unknown) => {
      await this.#remove(session);
      throw failure;
    });
    this.#sessions.add(session);
    this.changes.touch(sessionId, "created");
    return { session, error };
  }

  async #giveProfile(
    sessionId: string,
    config: SessionConfig,
    profile: CreateSessionRequest["profile"],
  ): Promise<SessionConfig> {
    if (!profile || typeof profile === "string") return config;
    return withProfile(profile, config, { ...(await this.#agents.get(config.agent)), sessionId });
  }

  async #takeProfile(sessionId: string, config: SessionConfig): Promise<void> {
    await removePlacedFiles(config);
    await this.#agents.forgetSession(config.agent, sessionId);
  }

  /** Before the session is there: a create that is killed here leaves a conversation that nobody knows, and no session. */
  async #restore(
    sessionId: string,
    config: SessionConfig,
    request: RestoreRequest | null | undefined,
  ): Promise<Partial<Restoration>> {
    if (!request) return {};
    const { adapter, agentHost } = await this.#agents.get(config.agent);
    const session = { sessionId, env: config.env ?? {}, ...settingsOfAgent(config) };
    return restoreSession(request, { adapter, agentHost, session });
  }

  /** Resolves when the changes are durable. An ended session can be renamed, and nothing else. */
  async update(sessionId: string, request: UpdateSessionRequest): Promise<Session> {
    const session = this.get(sessionId);
    const changes = sessionChanges(request);
    const { title, ...others } = changes;
    const onlyRenames = Object.keys(others).length === 0;
    const config = changedConfig(session.config, changes);
    if (!onlyRenames) {
      await this.#agents.check(config);
      await this.#agents.checkMode(config);
    }
    if (changes.model !== undefined || changes.variant !== undefined) await this.#agents.checkModel(config);
    if (!(onlyRenames && session.ended)) await session.update(changes);
    if (title !== undefined) await session.rename(title);
    return session;
  }

  /** Give up a create whose agent is being installed; false when there is none. The installation itself goes on. */
  cancelCreate(sessionId: string): boolean {
    const cancel = this.#installing.get(sessionId);
    cancel?.();
    return cancel !== undefined;
  }

  async #install<T>(sessionId: string, installed: Promise<T>): Promise<T> {
    const cancelled = new Promise<never>((_, reject) => {
      const sentence = `Session "${sessionId}" was given up while its agent was installed.`;
      this.#installing.set(sessionId, () => reject(new SandboxError("session_ended", sentence, { sessionId })));
    });
    try {
      return await Promise.race([installed, cancelled]);
    } finally {
      this.#installing.delete(sessionId);
    }
  }

  async delete(sessionId: string): Promise<void> {
    if (this.cancelCreate(sessionId)) return;
    const session = this.get(sessionId);
    this.#sessions.delete(session);
    this.changes.remove(sessionId);
    this.#reserved.add(sessionId);
    try {
      await session.discard();
      await this.#remove(session);
    } finally {
      this.#reserved.delete(sessionId);
    }
  }

  async shutDown(): Promise<void> {
    await Promise.all(this.list().map((session) => session.shutDown()));
  }

  async #remove(session: Session): Promise<void> {
    await session.shutDown();
    this.#logs.forget(session.id);
    await this.attachments.delete(session.id);
    await this.#takeProfile(session.id, session.config);
    await this.#logs.store.delete(session.id);
    await session.changes.delete();
  }

  #reserve(sessionId: string): void {
    if (sessionId.length > maxSessionIdLength) {
      throw new SandboxError("invalid_request", `A session id has at most ${maxSessionIdLength} characters.`);
    }
    if (this.#sessions.has(sessionId) || this.#reserved.has(sessionId)) {
      throw new SandboxError("session_already_exists", `Session "${sessionId}" exists already.`, { sessionId });
    }
    this.#reserved.add(sessionId);
  }
}
