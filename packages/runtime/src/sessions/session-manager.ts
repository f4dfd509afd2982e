import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import {
  daemonEvent,
  type MessageAttachment,
  type SandboxStatus,
  type SessionInfo,
  type SessionSummary,
  type TurnsResponse,
} from "@sandbox-agent-ts/protocol";
import type { ReadableLog } from "@sandbox-agent-ts/server";
import { changeOfEvents } from "@sandbox-agent-ts/server";
import { noSuchSession, type OwnedSession } from "../access/may.ts";
import type { LogEntry } from "../mirror/encode-event.ts";
import { listData } from "../persistence/list-data.ts";
import { resolveProfile } from "../profiles/given-profile.ts";
import { LeaseLost, type NewSession, type StoredSession } from "../store/runtime-store.ts";
import { AgentSession, type OnChange } from "./agent-session.ts";
import { firstBatch } from "./first-batch.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SessionListItem } from "./session-data.ts";
import { notLoaded, SessionList, storedInfo } from "./session-list.ts";
import type { MadeSession } from "./session-parts.ts";
import { type SessionRequest, wantedSession } from "./session-request.ts";
import { SessionRevivals } from "./session-revivals.ts";
import { type SessionSettings, settingsOf } from "./session-settings.ts";
import { type SessionSnapshot, sessionSnapshot } from "./session-snapshot.ts";

const sweepEveryMs = 5_000;

/** All sessions of a runtime: those in memory, and those that only the store has. */
export class SessionManager {
  /** All of them, also those that are not loaded. */
  readonly list: SessionList;
  readonly #deps: RuntimeDeps;
  readonly #loaded = new Map<string, Promise<AgentSession>>();
  readonly #ready = new Map<string, AgentSession>();
  readonly #unloading = new Map<string, Promise<void>>();
  readonly #revivals: SessionRevivals;
  readonly #sweep: NodeJS.Timeout;
  readonly #renewal: NodeJS.Timeout;

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
    this.list = new SessionList(deps, (sessionId) => this.#ready.get(sessionId));
    this.#revivals = new SessionRevivals({
      load: (sessionId) => this.loadSession(sessionId),
      log: deps.log,
      patienceMs: 2 * deps.limits.leaseMs,
    });
    this.#sweep = setInterval(() => void this.#unloadIdle(), sweepEveryMs).unref();
    this.#renewal = setInterval(() => void this.#renewLeases(), deps.limits.leaseMs / 3).unref();
  }

  /** Go on with what an earlier process left: turns, and sandboxes that nobody else would ever end. */
  async recover(): Promise<void> {
    const { store, log } = this.#deps;
    const withSandbox = (await store.sandboxes()).flatMap(({ sessionId, state }) =>
      sessionId === undefined || state === "ended" ? [] : [sessionId],
    );
    const wanted = new Set([...(await store.sessionsWithOpenTurns()), ...withSandbox]);
    // All at once: a provider that does not answer would be waited for by one after the other.
    const load = (sessionId: string) =>
      this.loadSession(sessionId).catch((err: unknown) => {
        log.error({ err, sessionId }, "a session could not be loaded; its messages wait until it can");
        this.#revivals.begin(sessionId);
      });
    await Promise.all([...wanted].map(load));
  }

  /** Make a session and load it. No sandbox is made. */
  async createSession(wanted: SessionRequest): Promise<AgentSession> {
    const { sessionId, owner, idempotencyKey, request } = wantedSession(wanted);
    const { store, catalog, bus, secrets, limits, quotas } = this.#deps;
    await catalog.check(request);
    const uid = randomBytes(9).toString("base64url");
    const createdAt = Date.now();
    const title = request.title ?? request.name ?? undefined;
    await this.#deps.persistence?.adopt(sessionId);
    if (await this.#isRetry(sessionId, owner, idempotencyKey)) return this.loadSession(sessionId);
    const { name: profile, inline, settings: given } = await resolveProfile(this.#deps.profiles, request);
    const whole = { ...request, profile: inline ?? null };
    const made: NewSession = {
      sessionId,
      uid,
      owner,
      agent: request.agent,
      ...(profile === undefined ? {} : { profile }),
      ...(title ? { title } : {}),
      ...(request.metadata ? { metadata: request.metadata } : {}),
      createdAt,
      settings: settingsOf(whole, idempotencyKey, secrets, given),
      log: firstBatch({ sessionId, uid }, daemonEvent({ type: "session.started", data: {} })),
      lease: { owner: this.#deps.owner, ttlMs: limits.leaseMs },
    };
    const lease = await store.createSession(made, quotas.of(owner));
    await this.#deps.persistence?.created(await this.stored(sessionId));
    const session = await this.#load(sessionId, { session: made, lease: lease! });
    bus.emit("session:created", { sessionId });
    this.list.touch(session, "created");
    return session;
  }

  /** Whether it was created by the same principal with the same key. */
  async #isRetry(sessionId: string, owner: string, idempotencyKey: string | undefined): Promise<boolean> {
    if (idempotencyKey === undefined) return false;
    const known = await this.#deps.store.session(sessionId);
    return known?.owner === owner && (known.settings as SessionSettings).createdWith === idempotencyKey;
  }

  /** Messages that wait, and the one that is worked on. */
  async turns(sessionId: string): Promise<TurnsResponse> {
    const open = await this.#deps.store.openTurns(sessionId);
    const running = open.find(({ state }) => state === "sent");
    return {
      runningTurnId: running?.turnId ?? null,
      waiting: open
        .filter(({ state }) => state === "admitted")
        .map(({ turnId, message, messageId, admittedAt, attachments }) => ({
          turnId,
          message,
          attachments: (attachments as MessageAttachment[]).map(nameOf),
          ...(messageId === undefined ? {} : { messageId }),
          admittedAt,
        })),
    };
  }

  /** The session, in memory from now on. Of many who load it at once all get the same. */
  loadSession(sessionId: string): Promise<AgentSession> {
    return this.#load(sessionId);
  }

  #load(sessionId: string, made?: MadeSession): Promise<AgentSession> {
    const known = this.#loaded.get(sessionId);
    if (known) return known;
    const { persistence } = this.#deps;
    const onChange: OnChange = (session, entries) => this.#changed(session, entries);
    const make = () => AgentSession.create({ sessionId, made, onChange }, this.#deps);
    const create = () => (persistence ? persistence.adopt(sessionId).then(make) : make());
    const unloading = this.#unloading.get(sessionId);
    const loading = unloading ? unloading.then(create, create) : create();
    this.#loaded.set(sessionId, loading);
    loading.then(
      (session) => {
        this.#ready.set(sessionId, session);
        this.#deps.bus.emit("session:status", { sessionId, runtime: session.getRuntimeState() });
      },
      () => this.#loaded.delete(sessionId),
    );
    return loading;
  }

  getSession(sessionId: string): AgentSession | undefined {
    return this.#ready.get(sessionId);
  }

  get loadedCount(): number {
    return this.#ready.size;
  }

  /** How the sandboxes of loaded sessions are. */
  *sandboxStatuses(): Generator<SandboxStatus, void, void> {
    for (const session of this.#ready.values()) {
      const { sandbox } = session.getRuntimeState();
      if (sandbox) yield sandbox.status;
    }
  }

  isSessionLoaded(sessionId: string): boolean {
    return this.#ready.has(sessionId);
  }

  /** End the session's sandbox and let it leave the memory; everything is in the store. */
  async unloadSession(sessionId: string): Promise<void> {
    const session = await this.#loaded.get(sessionId)?.catch(() => undefined);
    if (!session || this.#ready.get(sessionId) !== session) return this.#unloading.get(sessionId);
    this.#forget(sessionId);
    const leave = async () => {
      await this.#deps.persistence?.unloading(session);
      await session.destroy();
    };
    const unloading = leave().finally(() => this.#unloading.delete(sessionId));
    this.#unloading.set(sessionId, unloading);
    await unloading;
    this.#deps.bus.emit("session:status", { sessionId, runtime: { isLoaded: false, sandbox: null } });
  }

  /** Bring the application's own storage up to date now, where there is one. */
  async syncSession(sessionId: string): Promise<void> {
    const session = await this.loadSession(sessionId);
    await this.#deps.persistence?.sync(session);
  }

  async deleteSession(sessionId: string): Promise<void> {
    const { store, logs, bus } = this.#deps;
    const stored = await this.stored(sessionId);
    const { owner } = stored;
    await this.#deps.persistence?.deleting(stored);
    const row = await store.sandboxOf(sessionId);
    // Only a loaded session finds its sandbox again, to end it.
    if (row && row.state !== "ended") await this.loadSession(sessionId);
    await this.unloadSession(sessionId);
    await store.deleteSession(sessionId);
    if (row) await store.deleteSandbox(row.sandboxId);
    logs.forget(sessionId);
    bus.emit("session:deleted", { sessionId });
    this.list.remove(sessionId, owner);
  }

  /** Whose a session is, for `may`. */
  async ownership(sessionId: string): Promise<OwnedSession> {
    return this.#ready.get(sessionId)?.ownership ?? this.stored(sessionId);
  }

  /** What the store has of a session. */
  async stored(sessionId: string): Promise<StoredSession> {
    const { store, persistence } = this.#deps;
    const known = await store.session(sessionId);
    if (!known) await persistence?.adopt(sessionId);
    const session = known ?? (persistence && (await store.session(sessionId)));
    if (session) return session;
    throw noSuchSession(sessionId);
  }

  /** The session as clients see it, without loading it. */
  async info(sessionId: string): Promise<SessionInfo> {
    return this.#ready.get(sessionId)?.info() ?? storedInfo(await this.stored(sessionId));
  }

  /** Every session, with whether it is loaded and how its sandbox is, newest first. */
  getAllSessions(): Promise<SessionListItem[]> {
    return this.list.all();
  }

  /** The session's log, for reading; nothing is loaded for it. */
  async log(sessionId: string): Promise<ReadableLog> {
    const loaded = this.#ready.get(sessionId);
    if (loaded) return loaded.readers;
    const { head, summary } = await this.stored(sessionId);
    if (head === 0) return (await this.loadSession(sessionId)).readers;
    const readers = this.#deps.logs.of(sessionId, head);
    if ((summary as SessionSummary | null)?.ended) readers.finish();
    return readers;
  }

  /** The whole session as it is now, without loading it. */
  async snapshot(sessionId: string): Promise<SessionSnapshot> {
    const stored = await this.stored(sessionId);
    const log = await this.log(sessionId);
    const listed = this.#ready.get(sessionId)?.getListData() ?? { ...listData(stored), runtime: notLoaded };
    return sessionSnapshot(this.#deps, stored, log, listed);
  }

  /** Let go of everything; sandboxes go on, for the next process to find. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    clearInterval(this.#renewal);
    await this.#revivals.stop();
    const sessions = await Promise.all([...this.#loaded.values()].map((it) => it.catch(() => undefined)));
    await this.#deps.persistence?.settled();
    await Promise.all(sessions.map((session) => session?.release()));
    await Promise.allSettled(this.#unloading.values());
    this.#loaded.clear();
    this.#ready.clear();
  }

  /** What it has written last is not in the store: another object goes on from what is. */
  #replace(session: AgentSession): void {
    const { sessionId } = session;
    if (this.#ready.get(sessionId) !== session) return;
    const { log } = this.#deps;
    log.error({ err: session.failure, sessionId }, "a session could not be written; it is loaded again");
    this.#forget(sessionId);
    const leave = session.release().catch((err: unknown) => log.warn({ err, sessionId }, "a lease was not released"));
    const unloading = leave.finally(() => this.#unloading.delete(sessionId));
    this.#unloading.set(sessionId, unloading);
    if (!(session.failure instanceof LeaseLost)) this.#revivals.begin(sessionId);
  }

  #changed(session: AgentSession, entries: readonly LogEntry[]): void {
    if (session.failure !== undefined) {
      this.#replace(session);
      return;
    }
    if (entries.length > 0) {
      this.#deps.bus.emit("session:events", { sessionId: session.sessionId, head: session.readers.head });
      if (entries.some(({ type }) => type === "turn.ended")) void this.#deps.persistence?.sync(session);
    }
    this.list.touch(session, changeOfEvents(entries));
  }

  #forget(sessionId: string): void {
    this.#loaded.delete(sessionId);
    this.#ready.delete(sessionId);
  }

  async #unloadIdle(): Promise<void> {
    const { limits, log } = this.#deps;
    for (const [sessionId, session] of this.#ready) {
      const idleMs = Date.now() - session.activeAt;
      if (session.isRunning || idleMs < Math.min(limits.idleTimeoutMs, limits.unloadAfterMs)) continue;
      const work = idleMs >= limits.unloadAfterMs ? this.unloadSession(sessionId) : session.suspendIfIdle();
      await work.catch((err: unknown) => log.error({ err, sessionId }, "an idle session could not be let go of"));
    }
  }

  async #renewLeases(): Promise<void> {
    const { store, owner, limits, log } = this.#deps;
    try {
      const held = new Set(await store.renewLeases(owner, limits.leaseMs));
      for (const [sessionId, session] of this.#ready) {
        if (held.has(sessionId)) continue;
        log.warn({ sessionId }, "the lease of a session was lost; another process goes on with it");
        this.#forget(sessionId);
        await session.release();
      }
    } catch (err) {
      log.error({ err }, "leases could not be renewed");
    }
  }
}

function nameOf({ filename, path }: MessageAttachment): string {
  return filename ?? (path ? basename(path) : "attachment");
}
