import type { IncomingMessage } from "node:http";
import {
  type JoinedSession,
  SandboxError,
  type SocketNotices,
  type SocketRequestName,
  socketRequests,
} from "@sandbox-agent-ts/protocol";
import { toClientError } from "@sandbox-agent-ts/server";
import type { Socket } from "socket.io";
import { ensureMay } from "../../access/may.ts";
import type { Principal } from "../../access/principal.ts";
import { socketActions } from "../../access/socket-actions.ts";
import type { AgentRuntime } from "../../runtime.ts";
import { audit } from "../audit.ts";
import { sessionsService } from "../sessions-service.ts";
import { FileNotices } from "./file-notices.ts";
import { Outlet } from "./outlet.ts";
import { requestHandlers } from "./request-handlers.ts";
import type { SessionFeeds } from "./session-feeds.ts";
import type { SocketLimits } from "./socket-limits.ts";
import { Subscription } from "./subscription.ts";
import { terminateSoon } from "./terminate-soon.ts";

export interface SocketContext {
  readonly runtime: AgentRuntime;
  readonly feeds: SessionFeeds;
  readonly limits: SocketLimits;
  /** Who comes with this token; without one, who the handshake is from. */
  authenticate(request: IncomingMessage, token: string | undefined): Promise<Principal>;
}

type Answer = (answer: object) => void;

/** In the audit log, where HTTP has its own. */
const okStatus = 200;
/** Longer ones are of no session. */
const maxAuditedId = 512;

/** One connected client: what it joined, and what it asks. */
export class SocketClient {
  readonly #socket: Socket;
  readonly #context: SocketContext;
  readonly #outlet: Outlet;
  readonly #joined = new Map<string, Subscription | undefined>();
  readonly #files = new Map<string, FileNotices>();
  #principal: Principal;
  /** What begins when the join is acknowledged. */
  readonly #starting: (() => void)[] = [];
  #requests: Promise<void> = Promise.resolve();
  #waitingRequests = 0;

  constructor(socket: Socket, principal: Principal, context: SocketContext) {
    this.#socket = socket;
    this.#context = context;
    this.#principal = principal;
    this.#outlet = new Outlet(socket.conn);
    socket.onAny((name: string, ...given: unknown[]) => this.#request(name, given));
    socket.once("disconnect", () => {
      this.#close();
      terminateSoon(socket.conn);
    });
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** The sessions as this client may see and use them. */
  get sessions() {
    return sessionsService(this.#context.runtime.sessions, this.#principal);
  }

  hasJoined(sessionId: string): boolean {
    return this.#joined.has(sessionId);
  }

  /** Follow a session, from its state or from a cursor on. */
  async join(sessionId: string, after: number | undefined): Promise<JoinedSession> {
    const { sessions } = this.#context.runtime;
    const { maxJoined } = this.#context.limits;
    ensureMay(this.#principal, "session:read", await sessions.ownership(sessionId));
    this.leave(sessionId);
    if (this.#joined.size >= maxJoined) {
      const sentence = `A socket follows at most ${maxJoined} sessions. Leave one, or open another socket.`;
      throw new SandboxError("too_many_requests", sentence);
    }
    // From here on changes of its status are told, so that none falls between the state and the messages.
    this.#joined.set(sessionId, undefined);
    this.#files.set(sessionId, new FileNotices(sessionId, this.#context.runtime.events, this.#outlet));
    try {
      const log = await sessions.log(sessionId);
      const isKnown = after !== undefined && after <= log.head;
      const snapshot = isKnown ? undefined : await sessions.snapshot(sessionId);
      const cursor = isKnown ? after : snapshot!.sequence;
      const { runtime } = snapshot?.state ?? (await sessions.info(sessionId));
      if (this.#joined.has(sessionId)) this.#follow(sessionId, log, cursor);
      const { state, runningTurnId } = snapshot ?? {};
      return { cursor, runtime: runtime!, ...(state ? { state, runningTurnId: runningTurnId! } : {}) };
    } catch (error) {
      this.leave(sessionId);
      throw error;
    }
  }

  /** Idempotent. */
  leave(sessionId: string): void {
    this.#joined.get(sessionId)?.end();
    this.#joined.delete(sessionId);
    this.#files.get(sessionId)?.close();
    this.#files.delete(sessionId);
    this.#outlet.withdraw(`session:status ${sessionId}`);
  }

  /** Tell what a session is like now. */
  tellStatus(sessionId: string, runtime: SocketNotices["session:status"]["runtime"]): void {
    const sequence = this.#joined.get(sessionId)?.sequence ?? 0;
    this.#outlet.notify(`session:status ${sessionId}`, "session:status", { sessionId, sequence, runtime });
  }

  tellDeleted(sessionId: string): void {
    this.leave(sessionId);
    this.#outlet.notify(`session:deleted ${sessionId}`, "session:deleted", { sessionId });
  }

  tellListChanged(): void {
    this.#outlet.notify("sessions:changed", "sessions:changed");
  }

  /** Go on as the holder of another token. */
  async renew(token: string): Promise<number | null> {
    const { principal, session } = this.#principal;
    const next = await this.#context.authenticate(this.#socket.request, token);
    if (next.principal !== principal || next.session?.uid !== session?.uid) {
      throw new SandboxError("permission_denied", "This token is of somebody else. Open another socket with it.");
    }
    this.#principal = next;
    return next.expiresAt ?? null;
  }

  /** End the connection if what it was made with does not hold any more. */
  async checkPrincipal(): Promise<void> {
    const principal = this.#principal;
    if ((await this.#context.runtime.access.isStillIn(principal)) || principal !== this.#principal) return;
    const why = principal.expiresAt !== undefined && principal.expiresAt <= Date.now() ? "has expired" : "was revoked";
    this.refuse(
      new SandboxError("token_invalid", `What this socket was opened with ${why}. Connect with another token.`),
    );
  }

  /** End the connection with a reason. */
  refuse(error: SandboxError): void {
    this.#close();
    this.#socket.emit("connection:closing", error.toProblem());
    this.#socket.disconnect(true);
  }

  #follow(sessionId: string, log: Parameters<SessionFeeds["open"]>[1], cursor: number): void {
    const subscription = new Subscription(this.#context.feeds.open(sessionId, log), this.#outlet, cursor);
    this.#joined.set(sessionId, subscription);
    this.#starting.push(() => {
      subscription.run().catch((error: unknown) => {
        this.#context.runtime.log.error({ err: error, sessionId }, "a session could not be told to a socket");
        this.leave(sessionId);
        const problem = toClientError(error).toProblem();
        this.#outlet.notify(`session:left ${sessionId}`, "session:left", { sessionId, error: problem });
      });
    });
  }

  /** One after the other; who asks for more without waiting is cut off. */
  #request(name: string, given: readonly unknown[]): void {
    const answer = typeof given.at(-1) === "function" ? (given.at(-1) as Answer) : () => {};
    const { maxWaitingRequests } = this.#context.limits;
    if (this.#waitingRequests >= maxWaitingRequests) {
      const sentence = `A socket asks for at most ${maxWaitingRequests} things at a time. Wait for answers.`;
      this.refuse(new SandboxError("too_many_requests", sentence));
      return;
    }
    this.#waitingRequests += 1;
    this.#requests = this.#requests
      .then(() => this.#answer(name, given[0], answer))
      .finally(() => {
        this.#waitingRequests -= 1;
      });
  }

  async #answer(name: string, body: unknown, answer: Answer): Promise<void> {
    await this.checkPrincipal();
    if (!this.#socket.connected) return;
    const principal = this.#principal;
    const answered = await this.#resultOf(name, body).then(
      (result) => ({ ok: true as const, ...result }),
      (error: unknown) => {
        const problem = toClientError(error);
        if (problem.status >= 500) this.#context.runtime.log.error({ err: error, name }, "a socket's request failed");
        return { ok: false as const, error: problem.toProblem() };
      },
    );
    this.#audit(principal, name, body, answered.ok ? okStatus : answered.error.status);
    await this.#outlet.sendOwn(() => answer(answered));
    for (const start of this.#starting.splice(0)) start();
  }

  async #resultOf(name: string, body: unknown): Promise<object> {
    this.#context.runtime.access.count(this.#principal);
    if (!isRequest(name)) {
      throw new SandboxError("not_found", `There is no request "${name}". The documentation lists all of them.`);
    }
    ensureMay(this.#principal, socketActions[name]);
    const result = socketRequests[name].safeParse(body);
    if (!result.success) throw invalidBody(name, result.error.issues[0]);
    return requestHandlers[name](this, result.data as never);
  }

  #audit(principal: Principal, name: string, body: unknown, status: number): void {
    if (!isRequest(name)) return;
    const { sessionId } = (body ?? {}) as { sessionId?: unknown };
    const named = typeof sessionId === "string" ? sessionId.slice(0, maxAuditedId) : undefined;
    const operation = { action: socketActions[name], operation: name, sessionId: named };
    audit(this.#context.runtime.audit, this.#socket.request, { principal, operation, status });
  }

  #close(): void {
    this.#outlet.close();
    for (const sessionId of [...this.#joined.keys()]) this.leave(sessionId);
  }
}

function isRequest(name: string): name is SocketRequestName {
  return Object.hasOwn(socketRequests, name);
}

function invalidBody(
  name: string,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): SandboxError {
  const where = issue?.path.length ? ` at "${issue.path.map(String).join(".")}"` : "";
  return new SandboxError("invalid_request", `The body of "${name}" is wrong${where}: ${issue?.message}.`);
}
