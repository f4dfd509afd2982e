import type { AgentProfile, PersistedSessionData, PersistenceAdapter } from "../persistence-adapter.ts";

/** The storage of an application, as small as it can be, with the methods that fail for now. */
export class ApplicationStorage implements PersistenceAdapter {
  readonly sessions = new Map<string, PersistedSessionData>();
  readonly profiles = new Map<string, AgentProfile>();
  /** What a method does before it does its work, e.g. throw. */
  readonly before = new Map<keyof PersistenceAdapter, () => Promise<void>>();

  fail(...methods: (keyof PersistenceAdapter)[]): void {
    for (const method of methods) {
      this.before.set(method, async () => {
        throw new Error(`${method} is out of order`);
      });
    }
  }

  mend(): void {
    this.before.clear();
  }

  async listAllSessions() {
    await this.before.get("listAllSessions")?.();
    return [...this.sessions.values()].map(({ rawTranscript: _, subagents: __, workspaceFiles: ___, ...list }) => list);
  }

  async loadSession(sessionId: string) {
    await this.before.get("loadSession")?.();
    return structuredClone(this.sessions.get(sessionId) ?? null);
  }

  async createSessionRecord(session: Parameters<PersistenceAdapter["createSessionRecord"]>[0]) {
    await this.before.get("createSessionRecord")?.();
    if (this.sessions.has(session.sessionId)) throw new Error("it is there already");
    this.sessions.set(session.sessionId, { ...session, workspaceFiles: [] });
  }

  async updateSessionRecord(sessionId: string, updates: Partial<PersistedSessionData>) {
    await this.before.get("updateSessionRecord")?.();
    this.sessions.set(sessionId, { ...this.#session(sessionId), ...updates });
  }

  async saveTranscript(sessionId: string, rawTranscript: string, subagentId?: string) {
    await this.before.get("saveTranscript")?.();
    const session = this.#session(sessionId);
    if (subagentId === undefined) this.sessions.set(sessionId, { ...session, rawTranscript });
    else {
      const others = (session.subagents ?? []).filter(({ id }) => id !== subagentId);
      this.sessions.set(sessionId, {
        ...session,
        subagents: [...others, { id: subagentId, transcript: rawTranscript }],
      });
    }
  }

  async saveWorkspaceFile(sessionId: string, file: { path: string; content: string }) {
    await this.before.get("saveWorkspaceFile")?.();
    await this.deleteSessionFile(sessionId, file.path);
    this.#session(sessionId).workspaceFiles.push(file);
  }

  async deleteSessionFile(sessionId: string, path: string) {
    await this.before.get("deleteSessionFile")?.();
    const session = this.#session(sessionId);
    session.workspaceFiles = session.workspaceFiles.filter((file) => file.path !== path);
  }

  async listAgentProfiles() {
    await this.before.get("listAgentProfiles")?.();
    return [...this.profiles.values()].map(({ id, name, description = "" }) => ({ id, name, description }));
  }

  async loadAgentProfile(profileId: string) {
    await this.before.get("loadAgentProfile")?.();
    return this.profiles.get(profileId) ?? null;
  }

  #session(sessionId: string): PersistedSessionData {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error(`there is no ${sessionId}`);
    return session;
  }
}
