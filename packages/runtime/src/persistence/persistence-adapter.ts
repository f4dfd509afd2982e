/**
 * How an application keeps sessions in a storage of its own. What it stores has no status: the transcript is the source of
 * truth, and whether a session is loaded or has a sandbox is derived.
 *
 * Passes `describePersistenceAdapter`. Methods that change something resolve when the change is kept.
 */
export interface PersistenceAdapter {
  listAllSessions(): Promise<PersistedSessionListData[]>;
  /** Null when there is no such session. A read that fails rejects: it never answers with less than there is. */
  loadSession(sessionId: string): Promise<PersistedSessionData | null>;
  /** Rejects when the session exists. */
  createSessionRecord(session: PersistedSessionListData): Promise<void>;
  /**
   * Change the named fields, keep the others; id, type and creation stay as they are. Rejects when there is no such
   * session.
   */
  updateSessionRecord(sessionId: string, updates: Partial<PersistedSessionListData>): Promise<void>;

  /**
   * Keep the agent's own record of a conversation in place of the one before; without `subagentId` the main one. An empty
   * one is passed over: whoever has nothing to save has failed to read it, and what is kept stays. Rejects when there is no
   * such session, as `saveWorkspaceFile` does.
   */
  saveTranscript(sessionId: string, rawTranscript: string, subagentId?: string): Promise<void>;
  saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void>;
  /** Idempotent. */
  deleteSessionFile(sessionId: string, path: string): Promise<void>;

  listAgentProfiles(): Promise<AgentProfileListData[]>;
  /** Null when there is no such profile. */
  loadAgentProfile(agentProfileId: string): Promise<AgentProfile | null>;
}

/** The id of an agent. */
export type AGENT_ARCHITECTURE_TYPE = string;

export interface PersistedSessionListData {
  sessionId: string;
  type: AGENT_ARCHITECTURE_TYPE;
  agentProfileReference: string;
  name?: string;
  /** Epoch milliseconds, as `lastActivity`. */
  createdAt?: number;
  lastActivity?: number;
  metadata?: Record<string, unknown>;
}

export interface PersistedSessionData extends PersistedSessionListData {
  rawTranscript?: string;
  subagents?: SubagentTranscript[];
  workspaceFiles: WorkspaceFile[];
}

export interface SubagentTranscript {
  id: string;
  transcript: string;
}

export interface WorkspaceFile {
  /** Relative to the workspace. */
  path: string;
  content: string;
}

export interface AgentProfileListData {
  id: string;
  name: string;
  description?: string;
}

/** What an agent is given besides its messages; what else a profile holds is for those who read it. */
export interface AgentProfile extends AgentProfileListData {
  systemPrompt?: string;
  [more: string]: unknown;
}
