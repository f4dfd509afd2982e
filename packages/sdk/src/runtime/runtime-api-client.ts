import type { CreateSessionOptions, PostMessageOptions } from "../client-options.ts";
import type { Http } from "../http/http.ts";
import { path } from "../http/url.ts";
import { createIdempotencyKey } from "../idempotency-key.ts";
import type * as api from "./runtime-types.ts";

const BYTES = "application/octet-stream";
const TAR = "application/x-tar";

/** What ends a sandbox or stores its files waits for them. */
const SANDBOX_TIMEOUT_MS = 600_000;

/** What only a runtime has: one method per operation under `/api`, and some that page or stream. */
export class RuntimeApiClient {
  readonly #http: Http;

  protected constructor(http: Http) {
    this.#http = http;
  }

  /** A page of your sessions, newest first. */
  listSessions(query?: api.RuntimeSessionListQuery, signal?: AbortSignal): Promise<api.RuntimeSessionListResponse> {
    return this.#http.json({ method: "GET", path: "/api/sessions", query, signal });
  }

  /** One session after the other, newest first, read page by page as they are asked for. */
  async *iterateSessions(
    query: api.RuntimeSessionListQuery = {},
  ): AsyncGenerator<api.RuntimeSessionListItem, void, undefined> {
    let page: api.RuntimeSessionListResponse | undefined;
    do {
      page = await this.listSessions({ ...query, cursor: page?.nextCursor ?? query.cursor });
      yield* page.sessions;
    } while (page.nextCursor);
  }

  /** Create a session, without `sessionId` under an id that nobody guesses. Its first message makes the sandbox. */
  createSession(
    request: api.CreateRuntimeSessionRequest,
    { idempotencyKey = createIdempotencyKey(), signal }: CreateSessionOptions = {},
  ): Promise<api.CreateRuntimeSessionResponse> {
    const headers = { "idempotency-key": idempotencyKey };
    return this.#http.json({ method: "POST", path: "/api/sessions", json: request, headers, repeatable: true, signal });
  }

  /** A whole session: its conversation as blocks, its files and where it runs. */
  getSession(sessionId: string): Promise<api.RuntimeSession> {
    return this.#get(path`/api/sessions/${sessionId}`);
  }

  /** Rename a session or replace its metadata. */
  updateSession(sessionId: string, request: api.UpdateRuntimeSessionRequest): Promise<api.RuntimeSessionListItem> {
    const call = { method: "PATCH", path: path`/api/sessions/${sessionId}`, json: request } as const;
    return this.#http.json({ ...call, repeatable: true });
  }

  /** End a session with its sandbox and forget it. */
  deleteSession(sessionId: string): Promise<void> {
    return this.#http.empty({ method: "DELETE", path: path`/api/sessions/${sessionId}` });
  }

  /** Send a message; resolves when it is persisted. What happens is told by `follow`. */
  postMessage(
    sessionId: string,
    request: api.RuntimeMessageRequest,
    { idempotencyKey = createIdempotencyKey(), signal }: PostMessageOptions = {},
  ): Promise<api.MessageResponse> {
    return this.#http.json({
      method: "POST",
      path: path`/api/sessions/${sessionId}/messages`,
      json: request,
      headers: { "idempotency-key": idempotencyKey },
      repeatable: true,
      signal,
    });
  }

  /** Stop the running turn, or the start of the sandbox that it waits for. */
  interruptSession(sessionId: string): Promise<void> {
    return this.#http.empty({ method: "POST", path: path`/api/sessions/${sessionId}/interrupt` });
  }

  /** How the agent works; `null` where its own default holds. */
  getSessionOptions(sessionId: string): Promise<api.RuntimeSessionOptions> {
    return this.#get(path`/api/sessions/${sessionId}/options`);
  }

  /** Change how the agent works, from its next turn on. */
  updateSessionOptions(sessionId: string, options: api.RuntimeSessionOptions): Promise<api.RuntimeSessionOptions> {
    const call = { method: "PATCH", path: path`/api/sessions/${sessionId}/options`, json: options } as const;
    return this.#http.json({ ...call, repeatable: true });
  }

  /** End the sandbox and let the session leave the runtime's memory; all of it is kept. */
  unloadSession(sessionId: string): Promise<api.RuntimeStateResponse> {
    return this.#control(path`/api/sessions/${sessionId}/unload`);
  }

  /** Bring the application's own storage up to date now. */
  syncSession(sessionId: string): Promise<api.RuntimeStateResponse> {
    return this.#control(path`/api/sessions/${sessionId}/sync`, { repeatable: true });
  }

  /** End the sandbox; the session stays, and its next message makes another. */
  terminateSandbox(sessionId: string): Promise<api.RuntimeStateResponse> {
    return this.#control(path`/api/sessions/${sessionId}/sandbox/terminate`);
  }

  /** Answer a permission request; the first answer counts. */
  answerPermission(sessionId: string, permissionId: string, reply: api.PermissionReplyRequest): Promise<void> {
    const place = path`/api/sessions/${sessionId}/permissions/${permissionId}`;
    return this.#http.empty({ method: "POST", path: place, json: reply });
  }

  /** Answer a question, or decline to; the first answer counts. */
  answerQuestion(sessionId: string, questionId: string, request: api.QuestionAnswerRequest): Promise<void> {
    const place = path`/api/sessions/${sessionId}/questions/${questionId}`;
    return this.#http.empty({ method: "POST", path: place, json: request });
  }

  /** The files of the workspace: those in the sandbox, or as a checkpoint has them. */
  listFiles(sessionId: string, query?: api.RuntimeFilesQuery): Promise<api.RuntimeFilesResponse> {
    return this.#http.json({ method: "GET", path: path`/api/sessions/${sessionId}/files`, query });
  }

  /** Read a whole file of the workspace. */
  readFile(sessionId: string, file: string, query?: api.RuntimeFilesQuery): Promise<Uint8Array> {
    return this.#http.bytes({ ...fileCall(sessionId, file), query, timeoutMs: null });
  }

  /** A file of any size, read as it is asked for. The signal ends it, with its reason. */
  streamFile(
    sessionId: string,
    file: string,
    query?: api.RuntimeFilesQuery,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#http.byteStream({ ...fileCall(sessionId, file), query, signal });
  }

  /** The checkpoints of the workspace, newest first. */
  listCheckpoints(sessionId: string): Promise<api.RuntimeCheckpointsResponse> {
    return this.#get(path`/api/sessions/${sessionId}/checkpoints`);
  }

  /** The files of a checkpoint as a tar archive, read as it is asked for. */
  packCheckpoint(sessionId: string, checkpoint: number, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const place = path`/api/sessions/${sessionId}/checkpoints/${String(checkpoint)}/tar`;
    return this.#http.byteStream({ method: "GET", path: place, accept: TAR, signal });
  }

  /** What changed from one checkpoint to another. */
  diffCheckpoints(
    sessionId: string,
    from: number,
    to: number,
    query?: api.CheckpointDiffQuery,
  ): Promise<api.RuntimeCheckpointDiff> {
    const place = path`/api/sessions/${sessionId}/checkpoints/${String(from)}/diff/${String(to)}`;
    return this.#http.json({ method: "GET", path: place, query });
  }

  /** The profiles of the runtime, the newest version of each. */
  listProfiles(): Promise<api.ProfileListResponse> {
    return this.#get("/api/profiles");
  }

  /** A profile: its newest version, or the one that `name@version` names. */
  getProfile(name: string): Promise<api.RuntimeProfile> {
    return this.#get(path`/api/profiles/${name}`);
  }

  /** Make this the newest version of a profile; the same again changes nothing. For admins. */
  putProfile(name: string, profile: api.AgentProfile): Promise<api.ListedProfile> {
    return this.#http.json({ method: "PUT", path: path`/api/profiles/${name}`, json: profile, repeatable: true });
  }

  /** Forget a profile; sessions that began with it keep their version. For admins. */
  deleteProfile(name: string): Promise<void> {
    return this.#http.empty({ method: "DELETE", path: path`/api/profiles/${name}` });
  }

  /** Make a token with which a page reaches this session for a while. */
  createSessionToken(sessionId: string, request: api.SessionTokenRequest): Promise<api.SessionTokenResponse> {
    const call = { method: "POST", path: path`/api/sessions/${sessionId}/tokens`, json: request } as const;
    return this.#http.json({ ...call, repeatable: true });
  }

  /** What you have, and may have. */
  getUsage(): Promise<api.UsageResponse> {
    return this.#get("/api/usage");
  }

  /** Who did what, newest first. For admins. */
  listAuditEntries(query?: api.AuditQuery): Promise<api.AuditResponse> {
    return this.#http.json({ method: "GET", path: "/api/audit", query });
  }

  /** These operations as an OpenAPI 3.1 document. */
  getOpenApi(): Promise<Record<string, unknown>> {
    return this.#get("/api/openapi.json");
  }

  #get<T>(pathname: string): Promise<T> {
    return this.#http.json({ method: "GET", path: pathname });
  }

  #control(pathname: string, { repeatable = false } = {}): Promise<api.RuntimeStateResponse> {
    return this.#http.json({ method: "POST", path: pathname, repeatable, timeoutMs: SANDBOX_TIMEOUT_MS });
  }
}

function fileCall(sessionId: string, file: string) {
  const segments = file.split("/").map((segment) => path`${segment}`);
  const place = `${path`/api/sessions/${sessionId}/files`}/${segments.join("/")}`;
  return { method: "GET", path: place, accept: BYTES } as const;
}
