import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { type FoundRequests, findRequests } from "./find-requests.ts";
import { Listeners, type Unsubscribe } from "./listeners.ts";
import { noRequests, type PendingRequests, pendingRequests } from "./pending-requests.ts";
import type { PolledStore } from "./polled-store.ts";

/** What a session asks, as far as its open requests are known. */
interface SessionRequests extends PendingRequests {
  readonly ids: string;
}

/**
 * The open requests of all sessions. Found by looking at the list of sessions and then into those that wait, not by
 * following each: browsers allow one page few connections at a time.
 */
export class RequestsStore {
  readonly #client: SandboxAgent;
  readonly #sessions: PolledStore<readonly SessionInfo[]>;
  readonly #listeners = new Listeners({ onFirst: () => this.#start(), onLast: () => this.#stop?.() });
  readonly #bySession = new Map<string, SessionRequests>();
  #snapshot = noRequests;
  #stop: Unsubscribe | undefined;

  constructor(client: SandboxAgent, sessions: PolledStore<readonly SessionInfo[]>) {
    this.#client = client;
    this.#sessions = sessions;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly getRequests = (): PendingRequests => this.#snapshot;

  #start(): void {
    this.#stop = this.#sessions.subscribe(() => this.#look());
    this.#look();
  }

  #look(): void {
    const sessions = this.#sessions.getSnapshot().data ?? [];
    const waiting = sessions.filter((session) => idsOf(session) !== "");
    const waitingIds = new Set(waiting.map(({ sessionId }) => sessionId));
    for (const sessionId of this.#bySession.keys()) {
      if (!waitingIds.has(sessionId)) this.#bySession.delete(sessionId);
    }
    for (const session of waiting) {
      if (this.#bySession.get(session.sessionId)?.ids !== idsOf(session)) void this.#find(session);
    }
    this.#publish();
  }

  async #find(session: SessionInfo): Promise<void> {
    const { sessionId } = session;
    const ids = idsOf(session);
    const known = this.#bySession.get(sessionId) ?? noRequests;
    const asked: SessionRequests = { ...known, ids };
    this.#bySession.set(sessionId, asked);
    try {
      const found = await findRequests(this.#client, session);
      if (this.#bySession.get(sessionId) !== asked) return;
      this.#bySession.set(sessionId, { ids, ...pendingOf(session, found) });
    } catch {
      // Asked again at the next look.
      if (this.#bySession.get(sessionId) === asked) this.#bySession.set(sessionId, { ...known, ids: "" });
    }
    this.#publish();
  }

  #publish(): void {
    const all = [...this.#bySession.values()];
    const permissions = all.flatMap((requests) => requests.permissions);
    const questions = all.flatMap((requests) => requests.questions);
    if (isSame(permissions, this.#snapshot.permissions) && isSame(questions, this.#snapshot.questions)) return;
    this.#snapshot = { permissions, questions };
    this.#listeners.notify();
  }
}

function idsOf({ pendingPermissions, pendingQuestions }: SessionInfo): string {
  return JSON.stringify([...pendingPermissions, ...pendingQuestions]).slice(1, -1);
}

function pendingOf({ sessionId, pendingPermissions, pendingQuestions }: SessionInfo, found: FoundRequests) {
  const permissions = pendingPermissions.flatMap((id) => found.permissions.get(id) ?? []);
  const questions = pendingQuestions.flatMap((id) => found.questions.get(id) ?? []);
  return pendingRequests(sessionId, permissions, questions);
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
