import { randomUUID } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { ListedSession, RuntimeStore, SessionFieldChanges, StoredProfile } from "../store/runtime-store.ts";
import { listData } from "./list-data.ts";
import type {
  AgentProfile,
  AgentProfileListData,
  PersistedSessionData,
  PersistedSessionListData,
  PersistenceAdapter,
  WorkspaceFile,
} from "./persistence-adapter.ts";

const sessionsPerPage = 500;

export interface StorePersistenceOptions {
  /** The principal that sessions belong to which are created through the adapter. */
  readonly owner?: string;
}

/** The sessions, transcripts, files and profiles of a store, as spec 003's `PersistenceAdapter` has them. */
export function storePersistence(store: RuntimeStore, options: StorePersistenceOptions = {}): PersistenceAdapter {
  return new StorePersistence(store, options.owner ?? "application");
}

class StorePersistence implements PersistenceAdapter {
  readonly #store: RuntimeStore;
  readonly #owner: string;

  constructor(store: RuntimeStore, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  async listAllSessions(): Promise<PersistedSessionListData[]> {
    const all: PersistedSessionListData[] = [];
    for (let after: ListedSession | undefined; ; ) {
      const { sessions, hasMore } = await this.#store.sessions({ limit: sessionsPerPage, after });
      all.push(...sessions.map(listData));
      after = sessions.at(-1);
      if (!hasMore) return all;
    }
  }

  async loadSession(sessionId: string): Promise<PersistedSessionData | null> {
    const session = await this.#store.session(sessionId);
    if (!session) return null;
    const transcripts = await this.#store.transcripts(sessionId);
    const files = await this.#store.files(sessionId);
    const main = transcripts.find(({ subagentId }) => subagentId === null);
    const subagents = transcripts.flatMap(({ subagentId, text }) => {
      return subagentId === null ? [] : [{ id: subagentId, transcript: text }];
    });
    return {
      ...listData(session),
      ...(main && { rawTranscript: main.text }),
      ...(subagents.length > 0 && { subagents }),
      workspaceFiles: files.map(({ path, content }) => ({ path, content })),
    };
  }

  async createSessionRecord(session: PersistedSessionListData): Promise<void> {
    const { sessionId, type, agentProfileReference, name, createdAt = Date.now(), lastActivity, metadata } = session;
    await this.#store.createSession({
      sessionId,
      uid: randomUUID().slice(0, 8),
      owner: this.#owner,
      agent: type,
      profile: agentProfileReference,
      title: name,
      metadata,
      createdAt,
      lastActivity,
      settings: null,
    });
  }

  async updateSessionRecord(sessionId: string, updates: Partial<PersistedSessionListData>): Promise<void> {
    const { agentProfileReference, name, lastActivity, metadata } = updates;
    const changes: SessionFieldChanges = {
      ...(agentProfileReference !== undefined && { profile: agentProfileReference }),
      ...(name !== undefined && { title: name }),
      ...(lastActivity !== undefined && { lastActivity }),
      ...(metadata !== undefined && { metadata }),
    };
    if (!(await this.#store.updateSession(sessionId, changes))) throw missing(sessionId);
  }

  async saveTranscript(sessionId: string, rawTranscript: string, subagentId?: string): Promise<void> {
    if (rawTranscript !== "") await this.#store.putTranscript(sessionId, subagentId ?? null, rawTranscript);
    else if (!(await this.#store.session(sessionId))) throw missing(sessionId);
  }

  async saveWorkspaceFile(sessionId: string, { path, content }: WorkspaceFile): Promise<void> {
    await this.#store.putFile(sessionId, { path, content, modifiedAt: Date.now() });
  }

  async deleteSessionFile(sessionId: string, path: string): Promise<void> {
    await this.#store.deleteFile(sessionId, path);
  }

  async listAgentProfiles(): Promise<AgentProfileListData[]> {
    const newest = (await this.#store.profiles()).filter(({ profileId }) => !profileId.includes("@"));
    return newest.map((stored) => {
      const { id, name, description } = agentProfile(stored);
      return { id, name, ...(description !== undefined && { description }) };
    });
  }

  async loadAgentProfile(agentProfileId: string): Promise<AgentProfile | null> {
    const stored = await this.#store.profile(agentProfileId);
    return stored ? agentProfile(stored) : null;
  }
}

function agentProfile({ profileId, name, profile }: StoredProfile): AgentProfile {
  return { ...(profile as Partial<AgentProfile> | null), id: profileId, name };
}

function missing(sessionId: string): SandboxError {
  return new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
}
