import type { PendingRequest, SessionInfo } from "@sandbox-agent-ts/protocol";
import { Listeners, type Unsubscribe } from "./listeners.ts";
import { noRequests, type ShortPermission, type ShortQuestion, type ShortRequests } from "./pending-requests.ts";
import type { PolledStore } from "./polled-store.ts";

interface SessionRequests extends ShortRequests {
  /** What they were made from. */
  readonly source: string;
}

/** The open requests of all sessions, in short, as the list of sessions tells them: no log is read for them. */
export class RequestsStore {
  readonly #sessions: PolledStore<readonly SessionInfo[]>;
  readonly #listeners = new Listeners({ onFirst: () => this.#start(), onLast: () => this.#stop?.() });
  #bySession = new Map<string, SessionRequests>();
  #snapshot: ShortRequests = noRequests;
  #stop: Unsubscribe | undefined;

  constructor(sessions: PolledStore<readonly SessionInfo[]>) {
    this.#sessions = sessions;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly getRequests = (): ShortRequests => this.#snapshot;

  #start(): void {
    this.#stop = this.#sessions.subscribe(() => this.#look());
    this.#look();
  }

  #look(): void {
    const waiting = (this.#sessions.getSnapshot().data ?? []).filter(({ pendingRequests }) => pendingRequests?.length);
    this.#bySession = new Map(waiting.map((session) => [session.sessionId, this.#requestsOf(session)]));
    const all = [...this.#bySession.values()];
    const permissions = all.flatMap((requests) => requests.permissions);
    const questions = all.flatMap((requests) => requests.questions);
    if (isSame(permissions, this.#snapshot.permissions) && isSame(questions, this.#snapshot.questions)) return;
    this.#snapshot = { permissions, questions };
    this.#listeners.notify();
  }

  /** The same objects as before as long as the session asks the same. */
  #requestsOf({ sessionId, pendingRequests }: SessionInfo): SessionRequests {
    const requests = pendingRequests ?? [];
    const source = JSON.stringify(requests);
    const known = this.#bySession.get(sessionId);
    if (known?.source === source) return known;
    return {
      source,
      permissions: requests.filter(({ type }) => type === "permission").map((entry) => permissionOf(sessionId, entry)),
      questions: requests.filter(({ type }) => type !== "permission").map((entry) => questionOf(sessionId, entry)),
    };
  }
}

function permissionOf(sessionId: string, request: PendingRequest): ShortPermission {
  const { id, summary, kind, tool, paths, command, url, callId, itemId } = request;
  const subject = { kind, tool, paths, command, url, call_id: callId, item_id: itemId };
  return { sessionId, permission_id: id, action: summary, status: "requested", ...subject };
}

function questionOf(sessionId: string, request: PendingRequest): ShortQuestion {
  const { type, id, summary, options, callId, itemId } = request;
  const subject = { kind: type === "plan" ? type : ("question" as const), call_id: callId, item_id: itemId };
  return { sessionId, question_id: id, prompt: summary, options: options ?? [], status: "requested", ...subject };
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
