import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AgentProfile, SandboxError } from "@sandbox-agent-ts/protocol";
import type { Logger } from "@sandbox-agent-ts/server";
import type { LogReaders } from "@sandbox-agent-ts/store";
import type { LogEntry } from "../mirror/encode-event.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import { conversationUpTo } from "../sessions/conversation.ts";
import type { RuntimeStore, StoredSession } from "../store/runtime-store.ts";
import type {
  AgentProfileListData,
  PersistedSessionListData,
  PersistenceAdapter,
  WorkspaceFile,
} from "./persistence-adapter.ts";
import { entriesOfTranscript, transcriptsOf } from "./transcript-text.ts";
import { listWorkspace, readWorkspaceFile } from "./workspace-files.ts";

/** In the metadata of a record whose session was deleted: the adapter has no way to say so. */
const deletedField = "sandbox-agent:deleted";
/** How long who unloads a session, or ends the runtime, waits for the adapter. */
const patienceMs = 10_000;
/** Before an adapter that failed is asked again; doubled with each time. */
const firstWaitMs = 100;

/** What of a loaded session goes to the application. */
export interface PersistableSession {
  readonly sessionId: string;
  readonly readers: LogReaders;
  /** The sandbox, if it can be read without being woken. */
  readonly activeSandbox: AgentSandbox | undefined;
}

export interface SessionPersistenceOptions {
  readonly adapter: PersistenceAdapter;
  readonly store: RuntimeStore;
  readonly log: Logger;
  /** Whose a session is that only the adapter knows. */
  readonly ownerOf: (session: PersistedSessionListData) => string;
  readonly patienceMs?: number | undefined;
}

interface Synced {
  head: number;
  /** The versions of the files that the adapter has; undefined where that is not known. */
  readonly files: Map<string, string | undefined>;
  /** The lengths of the subagents' transcripts that the adapter has. */
  readonly subagents: Map<string, number>;
}

/**
 * Keeps the storage of an application as the runtime has it. The log stays in the store and is what counts: what the adapter
 * refuses is tried again at the end of the next turn and when the session is unloaded.
 */
export class SessionPersistence {
  readonly #options: SessionPersistenceOptions;
  readonly #synced = new Map<string, Synced>();
  readonly #syncing = new Map<string, Promise<boolean>>();
  readonly #known = new Set<string>();
  readonly #deleted = new Set<string>();

  constructor(options: SessionPersistenceOptions) {
    this.#options = options;
  }

  /** What the application has under this id; undefined where it has nothing, or nothing that is a profile. */
  async profile(profileId: string): Promise<AgentProfile | undefined> {
    const found = await asking(() => this.#options.adapter.loadAgentProfile(profileId));
    return found === null ? undefined : AgentProfile.safeParse(found).data;
  }

  /** Those that the application lists; none where it does not answer. */
  async profiles(): Promise<readonly AgentProfileListData[]> {
    const { adapter, log } = this.#options;
    return this.#within(() => adapter.listAgentProfiles()).catch((err: unknown) => {
      log.warn({ err }, "profiles of the application are not listed");
      return [];
    });
  }

  /** Make a session that only the adapter knows one of the store; its conversation is read when it is loaded. */
  async adopt(sessionId: string): Promise<void> {
    const { store, adapter } = this.#options;
    if (this.#known.has(sessionId) || (await store.session(sessionId))) return;
    const session = await asking(() => adapter.loadSession(sessionId));
    if (session) await this.#adoptRecord(session);
  }

  /** The same for all of them. */
  async adoptAll(): Promise<void> {
    const { store, adapter } = this.#options;
    for (const session of await asking(() => adapter.listAllSessions())) {
      const { sessionId } = session;
      if (!this.#known.has(sessionId) && !(await store.session(sessionId))) await this.#adoptRecord(session);
      this.#known.add(sessionId);
    }
  }

  async #adoptRecord(record: PersistedSessionListData): Promise<void> {
    const { sessionId, type, agentProfileReference, name, createdAt = Date.now(), lastActivity, metadata } = record;
    if (metadata?.[deletedField] !== undefined) return;
    const { store, ownerOf } = this.#options;
    const session = {
      sessionId,
      uid: randomBytes(9).toString("base64url"),
      owner: ownerOf(record),
      agent: type,
      ...(agentProfileReference === "" ? {} : { profile: agentProfileReference }),
      title: name,
      metadata,
      createdAt,
      lastActivity,
      settings: { agent: type },
    };
    await store.createSession(session).catch((error: unknown) => {
      const isThere = error instanceof SandboxError && error.code === "session_already_exists";
      if (!isThere) throw error;
    });
  }

  /** A session was created here. */
  async created(session: StoredSession): Promise<void> {
    this.#known.add(session.sessionId);
    this.#deleted.delete(session.sessionId);
    this.#synced.set(session.sessionId, nothingSynced());
    await this.#attempt(session.sessionId, () => this.#options.adapter.createSessionRecord(recordOf(session)));
  }

  /** The log of a session that was adopted. Rejects where the adapter cannot read it: it is never taken for empty. */
  async conversation({ sessionId, agent, createdAt }: StoredSession): Promise<LogEntry[]> {
    const session = await asking(() => this.#options.adapter.loadSession(sessionId));
    const entries = entriesOfTranscript(agent, session?.rawTranscript ?? "", createdAt, session?.subagents);
    const files = new Map((session?.workspaceFiles ?? []).map(({ path }) => [path, undefined]));
    this.#synced.set(sessionId, { ...nothingSynced(), head: entries.length, files });
    return entries;
  }

  /**
   * The files with which a new sandbox begins. An adapter that does not answer is asked again for a while; then this rejects,
   * because an agent without its files would do harm.
   */
  async filesToRestore(sessionId: string, onWait: () => void): Promise<readonly WorkspaceFile[]> {
    const deadline = Date.now() + (this.#options.patienceMs ?? patienceMs);
    for (let wait = firstWaitMs; ; wait *= 2) {
      try {
        const files = await this.workspaceFiles(sessionId, deadline - Date.now());
        const known = this.#synced.get(sessionId) ?? nothingSynced();
        this.#synced.set(sessionId, { ...known, files: new Map(files.map(({ path }) => [path, undefined])) });
        return files;
      } catch (err) {
        if (Date.now() + wait > deadline) throw err;
        this.#options.log.warn(
          { err, sessionId },
          "the application's storage is asked again for the files of a session",
        );
        onWait();
        await delay(wait);
      }
    }
  }

  /** The files as the adapter has them. */
  async workspaceFiles(sessionId: string, withinMs?: number): Promise<readonly WorkspaceFile[]> {
    const session = await this.#within(() => this.#options.adapter.loadSession(sessionId), withinMs);
    return session?.workspaceFiles ?? [];
  }

  async #within<T>(question: () => Promise<T>, withinMs = this.#options.patienceMs ?? patienceMs): Promise<T> {
    const stop = new AbortController();
    const late = delay(withinMs, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`it took more than ${withinMs} ms`);
    });
    late.catch(() => {});
    try {
      return await asking(() => Promise.race([question(), late]));
    } finally {
      stop.abort();
    }
  }

  /** Bring the adapter up to date, one after the other; answers whether it is. Never rejects. */
  sync(session: PersistableSession): Promise<boolean> {
    const { sessionId } = session;
    const before = this.#syncing.get(sessionId) ?? Promise.resolve(true);
    const syncing = before.then(() => this.#attempt(sessionId, () => this.#sync(session)));
    this.#syncing.set(sessionId, syncing);
    void syncing.then(() => this.#syncing.get(sessionId) === syncing && this.#syncing.delete(sessionId));
    return syncing;
  }

  /** The session leaves the memory: a last try, for which nobody waits for ever. */
  async unloading(session: PersistableSession): Promise<void> {
    await this.#patiently(session.sessionId, this.sync(session));
    this.#synced.delete(session.sessionId);
  }

  /** Rejects where the adapter cannot keep that the session is deleted: it would be there again. */
  async deleting({ sessionId, metadata }: StoredSession): Promise<void> {
    const { adapter } = this.#options;
    if ((await asking(() => adapter.loadSession(sessionId))) === null) return;
    const marked = { ...metadata, [deletedField]: Date.now() };
    await asking(() => adapter.updateSessionRecord(sessionId, { metadata: marked }));
    this.#known.add(sessionId);
    this.#deleted.add(sessionId);
  }

  /** Resolves when nothing is on its way to the adapter, or it takes too long. */
  async settled(): Promise<void> {
    await Promise.all([...this.#syncing].map(([sessionId, syncing]) => this.#patiently(sessionId, syncing)));
  }

  async #patiently(sessionId: string, work: Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const late = delay(this.#options.patienceMs ?? patienceMs, "late", { signal: stop.signal }).catch(() => "done");
    const outcome = await Promise.race([work, late]);
    stop.abort();
    if (outcome === "late") this.#options.log.warn({ sessionId }, "the application's storage takes too long");
  }

  async #attempt(sessionId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      this.#options.log.warn({ err, sessionId }, "the application's storage refused a session; it is tried again");
      return false;
    }
  }

  async #sync({ sessionId, readers, activeSandbox }: PersistableSession): Promise<void> {
    const { adapter, store } = this.#options;
    const session = await store.session(sessionId);
    const { head } = readers;
    const synced = this.#synced.get(sessionId) ?? nothingSynced();
    this.#synced.set(sessionId, synced);
    if (!session || synced.head >= head || this.#deleted.has(sessionId)) return;
    const record = recordOf(session);
    await adapter.updateSessionRecord(sessionId, record).catch(() => adapter.createSessionRecord(record));
    const directory = (session.settings as { directory?: string | null } | null)?.directory ?? "/workspace";
    const { main, subagents } = transcriptsOf({ ...session, directory }, await conversationUpTo(readers, head));
    if (main !== "") await adapter.saveTranscript(sessionId, main);
    for (const { id, transcript } of subagents) {
      if (synced.subagents.get(id) === transcript.length) continue;
      await adapter.saveTranscript(sessionId, transcript, id);
      synced.subagents.set(id, transcript.length);
    }
    if (activeSandbox) await this.#syncFiles(sessionId, activeSandbox, synced.files);
    synced.head = head;
  }

  async #syncFiles(sessionId: string, sandbox: AgentSandbox, kept: Map<string, string | undefined>): Promise<void> {
    const { adapter } = this.#options;
    const { files, isWhole } = await listWorkspace(sandbox);
    for (const { path, version } of files) {
      if (kept.get(path) === version) continue;
      const file = await readWorkspaceFile(sandbox, path);
      if (file) await adapter.saveWorkspaceFile(sessionId, file);
      kept.set(path, version);
    }
    if (!isWhole) return;
    const isThere = new Set(files.map(({ path }) => path));
    for (const path of [...kept.keys()].filter((known) => !isThere.has(known))) {
      await adapter.deleteSessionFile(sessionId, path);
      kept.delete(path);
    }
  }
}

function nothingSynced(): Synced {
  return { head: 0, files: new Map(), subagents: new Map() };
}

function recordOf(session: StoredSession): PersistedSessionListData {
  const { sessionId, agent, profile = "", title, createdAt, lastActivity, metadata } = session;
  return {
    sessionId,
    type: agent,
    agentProfileReference: profile,
    ...(title === undefined ? {} : { name: title }),
    createdAt,
    lastActivity,
    metadata: metadata ?? {},
  };
}

async function asking<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const sentence = `The application's storage did not answer (${why}). Nothing was changed; try again.`;
    throw new SandboxError("internal_error", sentence, { cause });
  }
}
