import type { AgentInfo, SessionInfo } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { followSessions } from "./follow-sessions.ts";
import { PolledStore } from "./polled-store.ts";
import { reconcileList } from "./reconcile-list.ts";
import { RequestsStore } from "./requests-store.ts";
import { SessionStore } from "./session-store.ts";

/** Where the daemon has no stream of all sessions. */
const SESSIONS_INTERVAL_MS = 3_000;
/** Sessions that nobody looks at any more and that are kept, so that going back to one shows it at once. */
const MAX_IDLE_SESSIONS = 4;

/** Everything that is known of one daemon: whoever asks for the same thing gets the same store. */
export class ClientStores {
  readonly client: SandboxAgent;
  readonly agents: PolledStore<readonly AgentInfo[]>;
  readonly sessions: PolledStore<readonly SessionInfo[]>;
  readonly requests: RequestsStore;
  readonly #sessions = new Map<string, SessionStore>();
  /** In the order in which they were left. */
  readonly #idle = new Set<string>();

  constructor(client: SandboxAgent) {
    this.client = client;
    this.agents = new PolledStore<readonly AgentInfo[]>({
      read: async () => (await client.listAgents()).agents,
      reconcile: reconcileList((agent) => agent.id),
    });
    this.sessions = new PolledStore<readonly SessionInfo[]>({
      read: async () => (await client.listSessions()).sessions,
      follow: (follower) => followSessions(client, follower),
      intervalMs: SESSIONS_INTERVAL_MS,
      onData: (sessions) => this.#tellSessions(sessions),
      reconcile: reconcileList((session) => session.sessionId),
    });
    this.requests = new RequestsStore(this.sessions);
  }

  session(sessionId: string): SessionStore {
    this.#idle.delete(sessionId);
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const store = new SessionStore({
      client: this.client,
      sessionId,
      onNews: () => this.sessions.hint(),
      watchList: () => this.sessions.subscribe(() => {}),
      onIdle: () => this.#keepIdle(sessionId),
    });
    this.#sessions.set(sessionId, store);
    return store;
  }

  #tellSessions(sessions: readonly SessionInfo[]): void {
    for (const entry of sessions) this.#sessions.get(entry.sessionId)?.acceptEntry(entry);
  }

  #keepIdle(sessionId: string): void {
    this.#idle.add(sessionId);
    if (this.#idle.size <= MAX_IDLE_SESSIONS) return;
    const [oldest] = this.#idle;
    this.#idle.delete(oldest!);
    this.#sessions.delete(oldest!);
  }
}

const storesByClient = new WeakMap<SandboxAgent, ClientStores>();

export function storesOf(client: SandboxAgent): ClientStores {
  const known = storesByClient.get(client);
  if (known) return known;
  const stores = new ClientStores(client);
  storesByClient.set(client, stores);
  return stores;
}
