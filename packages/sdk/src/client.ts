// The typings name Symbol.asyncDispose, which projects for browsers have only by this.
/// <reference lib="esnext.disposable" preserve="true" />
import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import type * as api from "./api-types.ts";
import {
  type CreateSessionOptions,
  optionsFrom,
  type PostMessageOptions,
  type SandboxAgentConnectOptions,
  type SandboxAgentStartOptions,
  type StreamEventsOptions,
} from "./client-options.ts";
import { FilesystemClient } from "./filesystem-client.ts";
import { Http, type HttpOptions } from "./http/http.ts";
import { path } from "./http/url.ts";
import { createIdempotencyKey } from "./idempotency-key.ts";
import { SandboxAgentError } from "./sandbox-agent-error.ts";
import { SessionHandle } from "./session/session-handle.ts";
import type { SpawnedDaemon } from "./spawn/spawn-options.ts";
import type { EventLines } from "./stream/event-records.ts";
import { sessionFeed, turnFeed } from "./stream/feeds.ts";
import {
  type EventFeed,
  eventLinesSource,
  eventSource,
  follow,
  followBatches,
  type ReconnectOptions,
} from "./stream/follow-events.ts";
import { type InstallOptions, readInstall } from "./stream/read-install.ts";
import { sessionListSource } from "./stream/session-list-source.ts";

/** Creating a session or installing may download the agent first. */
const INSTALL_TIMEOUT_MS = 600_000;

const DEFAULT_PAGE_SIZE = 100;

const SSE = "text/event-stream";

/** A daemon, seen from outside: one method per operation of its HTTP API, and some that stream or page. */
export class SandboxAgent extends FilesystemClient {
  readonly #http: Http;
  readonly #reconnect: ReconnectOptions | undefined;
  readonly #daemon: SpawnedDaemon | undefined;

  private constructor(options: HttpOptions & { reconnect?: ReconnectOptions | undefined }, daemon?: SpawnedDaemon) {
    const http = new Http(options);
    super(http);
    this.#http = http;
    this.#reconnect = options.reconnect;
    this.#daemon = daemon;
  }

  /** Where the daemon is. */
  get baseUrl(): string {
    return this.#http.place.baseUrl;
  }

  /** The token that is sent. */
  get token(): string | undefined {
    return this.#http.place.token;
  }

  /** Use a running daemon; without `baseUrl` or `locate` start one. Nothing is sent yet. */
  static async connect(options: SandboxAgentConnectOptions = {}): Promise<SandboxAgent> {
    const { baseUrl, token, locate, spawn, ...rest } = options;
    if (locate) return new SandboxAgent({ ...rest, ...(await locate()), locate });
    if (baseUrl) return new SandboxAgent({ ...rest, baseUrl, token });
    const spawnOptions = typeof spawn === "object" ? { token, ...spawn } : { enabled: spawn, token };
    return SandboxAgent.start({ ...rest, spawn: spawnOptions });
  }

  /** Start a daemon of this client's own (Node.js only); `dispose` ends it. */
  static async start(options: SandboxAgentStartOptions = {}): Promise<SandboxAgent> {
    const { spawn = true, ...rest } = options;
    const spawnOptions = typeof spawn === "object" ? spawn : { enabled: spawn };
    if (spawnOptions.enabled === false) {
      throw SandboxAgentError.withoutResponse("With spawn switched off there must be a baseUrl to connect to.");
    }
    const { spawnSandboxAgent } = await import("#spawn");
    const daemon = await spawnSandboxAgent(spawnOptions);
    return new SandboxAgent({ ...rest, baseUrl: daemon.baseUrl, token: daemon.token }, daemon);
  }

  /** End the daemon if this client started it. Idempotent. */
  async dispose(): Promise<void> {
    await this.#daemon?.dispose();
  }

  /** `dispose` at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /**
   * A handle on one session; nothing is sent yet. With settings, the session is created with them when it is first used and
   * does not exist.
   */
  session(sessionId: string, create?: api.CreateSessionRequest): SessionHandle {
    return new SessionHandle(this, sessionId, create);
  }

  /** What the server is: its version, and where its API and inspector are. */
  getServerInfo(): Promise<api.ServerInfo> {
    return this.#get("/");
  }

  /** The API as an OpenAPI 3.1 document. */
  getOpenApi(): Promise<Record<string, unknown>> {
    return this.#get("/openapi.json");
  }

  /** Whether the daemon is up. Needs no token, except for `details`: what it holds in memory. */
  getHealth(query: api.HealthQuery = {}): Promise<api.HealthResponse> {
    return this.#http.json({ method: "GET", path: "/v1/health", query });
  }

  /** Every agent that the daemon knows; with `newest`, also which version of each is the newest that can be had. */
  listAgents(query: api.AgentListQuery = {}): Promise<api.AgentListResponse> {
    return this.#http.json({ method: "GET", path: "/v1/agents", query });
  }

  /** Install an agent, or with `reinstall` do it again; with `onProgress`, told what happens meanwhile. */
  async installAgent(
    agent: string,
    request: api.AgentInstallRequest = {},
    { onProgress, signal }: InstallOptions = {},
  ): Promise<api.AgentInstallResponse> {
    const call = { method: "POST", path: path`/v1/agents/${agent}/install`, json: request } as const;
    if (!onProgress) return this.#http.json({ ...call, timeoutMs: INSTALL_TIMEOUT_MS, signal });
    const over = AbortSignal.any([AbortSignal.timeout(INSTALL_TIMEOUT_MS), ...(signal ? [signal] : [])]);
    return readInstall(await this.#http.stream({ ...call, accept: SSE, signal: over }), onProgress, over);
  }

  /** The modes that a session of this agent can be created with. */
  getAgentModes(agent: string): Promise<api.AgentModesResponse> {
    return this.#get(path`/v1/agents/${agent}/modes`);
  }

  /** The models of an agent, their variants and the default. */
  getAgentModels(agent: string): Promise<api.AgentModelsResponse> {
    return this.#get(path`/v1/agents/${agent}/models`);
  }

  /** All sessions, newest first; with a `limit`, a page of them. */
  listSessions(query?: api.SessionListQuery, signal?: AbortSignal): Promise<api.SessionListResponse> {
    return this.#http.json({ method: "GET", path: "/v1/sessions", query, signal });
  }

  /** One session after the other, newest first, read page by page as they are asked for. */
  async *iterateSessions(query: api.SessionListQuery = {}): AsyncGenerator<api.SessionInfo, void, undefined> {
    let page: api.SessionListResponse | undefined;
    do {
      const cursor = page?.nextCursor ?? query.cursor;
      page = await this.listSessions({ limit: DEFAULT_PAGE_SIZE, ...query, ...(cursor ? { cursor } : {}) });
      yield* page.sessions;
    } while (page.nextCursor);
  }

  /** The raw response; `streamSessions` reads it, and reads on when it breaks. */
  getSessionListSse(query?: api.SessionListStreamQuery, signal?: AbortSignal): Promise<Response> {
    return this.#http.stream({ method: "GET", path: "/v1/events/sse", query, accept: SSE, signal });
  }

  /**
   * What happens to the list of sessions, for as long as it is read. The first event is `reset`, and so is any after which
   * the list has to be read again (`listSessions`); all others carry the session as it is now.
   */
  streamSessions(options?: StreamEventsOptions | AbortSignal): AsyncGenerator<api.SessionListEvent, void, undefined> {
    const { signal, ...following } = this.#followOptions(options);
    const source = sessionListSource((after, inner) => this.getSessionListSse(after ? { after } : {}, inner));
    return follow(source, signal, following);
  }

  /** Create a session under an id of your own. With an `idempotencyKey` it is tried again when the connection breaks. */
  createSession(
    sessionId: string,
    request: api.CreateSessionRequest,
    { idempotencyKey, signal }: CreateSessionOptions = {},
  ): Promise<api.CreateSessionResponse> {
    const call = { method: "POST", path: path`/v1/sessions/${sessionId}`, json: request, signal } as const;
    const retried = idempotencyKey && { headers: { "idempotency-key": idempotencyKey }, repeatable: true };
    return this.#http.json({ ...call, ...retried, timeoutMs: INSTALL_TIMEOUT_MS });
  }

  /** A session with its status, open requests and usage. */
  getSession(sessionId: string): Promise<api.SessionInfo> {
    return this.#get(path`/v1/sessions/${sessionId}`);
  }

  /** Settings that hold from the next turn on; a policy holds at once. */
  updateSession(sessionId: string, request: api.UpdateSessionRequest): Promise<api.SessionInfo> {
    const call = { method: "PATCH", path: path`/v1/sessions/${sessionId}`, json: request } as const;
    return this.#http.json({ ...call, repeatable: true });
  }

  /** `updateSession` with a title. */
  renameSession(sessionId: string, { title }: { title: string }): Promise<api.SessionInfo> {
    return this.updateSession(sessionId, { title });
  }

  /** End a session and remove its log. */
  deleteSession(sessionId: string): Promise<void> {
    return this.#http.empty({ method: "DELETE", path: path`/v1/sessions/${sessionId}` });
  }

  /** Queue a message; resolves when it is persisted. */
  postMessage(
    sessionId: string,
    request: api.MessageRequest,
    { idempotencyKey = createIdempotencyKey(), signal }: PostMessageOptions = {},
  ): Promise<api.MessageResponse> {
    return this.#http.json({
      method: "POST",
      path: path`/v1/sessions/${sessionId}/messages`,
      json: request,
      headers: { "idempotency-key": idempotencyKey },
      repeatable: true,
      signal,
    });
  }

  /** The raw response; `streamTurn` reads it, and reads on when it breaks. */
  postMessageStream(
    sessionId: string,
    request: api.MessageRequest,
    query?: api.TurnStreamQuery,
    options?: PostMessageOptions | AbortSignal,
  ): Promise<Response> {
    const { idempotencyKey = createIdempotencyKey(), signal } = optionsFrom<PostMessageOptions>(options);
    return this.#http.stream({
      method: "POST",
      path: path`/v1/sessions/${sessionId}/messages/stream`,
      query,
      json: request,
      accept: SSE,
      headers: { "idempotency-key": idempotencyKey },
      signal,
    });
  }

  /** Which turn runs, and which messages wait behind it. */
  listTurns(sessionId: string): Promise<api.TurnsResponse> {
    return this.#get(path`/v1/sessions/${sessionId}/turns`);
  }

  /** Take a waiting message back: its turn never runs. One that has started is refused. */
  withdrawTurn(sessionId: string, turnId: string): Promise<void> {
    return this.#http.empty({
      method: "DELETE",
      path: path`/v1/sessions/${sessionId}/turns/${turnId}`,
      repeatable: true,
    });
  }

  /** Stop the running turn; the session stays usable. */
  interruptSession(sessionId: string): Promise<void> {
    return this.#post(path`/v1/sessions/${sessionId}/interrupt`);
  }

  /** End a session; its log stays readable. */
  terminateSession(sessionId: string): Promise<void> {
    return this.#post(path`/v1/sessions/${sessionId}/terminate`);
  }

  /** A page of events after `query.offset`. */
  getEvents(sessionId: string, query?: api.EventsQuery, signal?: AbortSignal): Promise<api.EventsResponse> {
    return this.#http.json({ method: "GET", path: path`/v1/sessions/${sessionId}/events`, query, signal });
  }

  /** The raw response; `streamEvents` reads it, and reads on when it breaks. */
  getEventsSse(sessionId: string, query?: api.EventStreamQuery, signal?: AbortSignal): Promise<Response> {
    return this.#openEvents(sessionId, query, SSE, signal);
  }

  #openEvents(
    sessionId: string,
    query: api.EventStreamQuery | undefined,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    return this.#http.stream({
      method: "GET",
      path: path`/v1/sessions/${sessionId}/events/sse`,
      query,
      accept,
      signal,
    });
  }

  /** Every event after `query.offset`, first what was, then what comes; survives lost connections and daemon restarts. */
  streamEvents(
    sessionId: string,
    query: api.EventStreamQuery = {},
    options?: StreamEventsOptions | AbortSignal,
  ): AsyncGenerator<api.UniversalEvent, void, undefined> {
    const { signal, ...following } = this.#followOptions(options);
    return follow(eventSource(this.#feedOf(sessionId, query), query.offset ?? 0), signal, following);
  }

  /** As `streamEvents`, those that arrived together at once and as they are in the log: for who keeps them as text. */
  streamEventLines(
    sessionId: string,
    query: api.EventStreamQuery = {},
    options?: StreamEventsOptions | AbortSignal,
  ): AsyncGenerator<readonly EventLines[], void, undefined> {
    const { signal, ...following } = this.#followOptions(options);
    const feed = this.#feedOf(sessionId, query, `${eventRecordsType}, ${SSE};q=0.5`);
    return followBatches(eventLinesSource(feed, query.offset ?? 0), signal, following);
  }

  #feedOf(sessionId: string, query: api.EventStreamQuery, accept = SSE): EventFeed {
    return sessionFeed({
      openAfter: (offset, inner) => this.#openEvents(sessionId, { ...query, offset }, accept, inner),
      readEvent: async (sequence, inner) =>
        (await this.getEvents(sessionId, { offset: sequence - 1, limit: 1 }, inner)).events[0],
    });
  }

  #followOptions(options: StreamEventsOptions | AbortSignal | undefined) {
    const { signal, reconnect, onConnection } = optionsFrom<StreamEventsOptions>(options);
    return { signal, ...this.#reconnect, ...reconnect, onConnection };
  }

  /**
   * Send a message and get the events of its turn. The signal ends the reading; `interruptSession` ends the turn. With an
   * `idempotencyKey` that was sent before, it gives the events of that turn, from its first.
   */
  streamTurn(
    sessionId: string,
    request: api.MessageRequest,
    query: api.TurnStreamQuery = {},
    options?: PostMessageOptions | AbortSignal,
  ): AsyncGenerator<api.UniversalEvent, void, undefined> {
    const { idempotencyKey = createIdempotencyKey(), signal } = optionsFrom<PostMessageOptions>(options);
    const feed = turnFeed({
      post: (inner) => this.postMessageStream(sessionId, request, query, { idempotencyKey, signal: inner }),
      openAfter: (offset, inner) => this.getEventsSse(sessionId, { ...query, offset }, inner),
    });
    return follow(eventSource(feed, undefined), signal, this.#reconnect);
  }

  /** What changed in the session's directory since it began, or since a turn began. */
  getDiff(sessionId: string, query?: api.DiffQuery): Promise<api.SessionDiff> {
    return this.#http.json({ method: "GET", path: path`/v1/sessions/${sessionId}/diff`, query });
  }

  /** The same as nothing but a unified diff, byte by byte. */
  getPatch(sessionId: string, query?: api.DiffQuery): Promise<Uint8Array> {
    const call = { method: "GET", path: path`/v1/sessions/${sessionId}/diff`, accept: "text/x-diff" } as const;
    return this.#http.bytes({ ...call, query: { ...query, format: "patch" } });
  }

  /** Answer a question: one array of labels per question. */
  replyQuestion(sessionId: string, questionId: string, request: api.QuestionReplyRequest): Promise<void> {
    return this.#post(path`/v1/sessions/${sessionId}/questions/${questionId}/reply`, request);
  }

  /** Decline to answer a question. */
  rejectQuestion(sessionId: string, questionId: string): Promise<void> {
    return this.#post(path`/v1/sessions/${sessionId}/questions/${questionId}/reject`);
  }

  /** Decide about a permission: `once`, `always` or `reject`. */
  replyPermission(sessionId: string, permissionId: string, request: api.PermissionReplyRequest): Promise<void> {
    return this.#post(path`/v1/sessions/${sessionId}/permissions/${permissionId}/reply`, request);
  }

  #get<T>(pathname: string): Promise<T> {
    return this.#http.json({ method: "GET", path: pathname });
  }

  #post(pathname: string, json?: unknown): Promise<void> {
    return this.#http.empty({ method: "POST", path: pathname, json });
  }
}
