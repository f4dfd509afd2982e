import { z } from "zod";
import { AgentInstallRequest, AgentListResponse, AgentModelsResponse, AgentModesResponse } from "../agent-info.ts";
import type { ErrorCode } from "../error-codes.ts";
import {
  FsActionResponse,
  FsEntry,
  FsMoveRequest,
  FsMoveResponse,
  FsStat,
  FsUploadBatchResponse,
  FsWriteResponse,
} from "../files.ts";
import {
  EventsResponse,
  MessageRequest,
  MessageResponse,
  PermissionReplyRequest,
  QuestionReplyRequest,
} from "../message.ts";
import { HealthResponse, ServerInfo } from "../server-info.ts";
import { CreateSessionRequest, CreateSessionResponse, SessionInfo, SessionListResponse } from "../session.ts";
import { UniversalEvent } from "../universal-event.ts";
import {
  EventStreamQuery,
  EventsQuery,
  FsDeleteQuery,
  FsOptionalPathQuery,
  FsPathQuery,
  FsSessionQuery,
  TurnStreamQuery,
} from "./queries.ts";

export interface Route {
  /** The operation's name: `operationId` in OpenAPI, the method of the SDK. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly tag: "server" | "agents" | "sessions" | "fs";
  readonly summary: string;
  /** Answers without a token. */
  readonly public?: boolean;
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly schema?: z.ZodType; readonly optional?: boolean };
  readonly response: { readonly status: number; readonly type?: string; readonly schema?: z.ZodType };
  /** What may go wrong besides what may go wrong everywhere (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
}

const json = "application/json";
const sse = "text/event-stream";
const bytes = "application/octet-stream";

/** Errors that any route with a token, a body or a bug can answer. */
export const commonErrors: readonly ErrorCode[] = [
  "invalid_request",
  "token_invalid",
  "permission_denied",
  "not_found",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "internal_error",
];

const lastEventId = { "Last-Event-ID": "Resume after this sequence; wins over `offset`" };
const idempotencyKey = { "Idempotency-Key": "Sending the same key again answers with the first turn" };

/** Every operation of the HTTP API. Daemon, OpenAPI document, SDK and CLI are held to this table by tests. */
export const routes = [
  {
    id: "getServerInfo",
    method: "GET",
    path: "/",
    tag: "server",
    summary: "What this server is",
    public: true,
    response: { status: 200, type: json, schema: ServerInfo },
    errors: [],
  },
  {
    id: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    tag: "server",
    summary: "This API as an OpenAPI 3.1 document",
    response: { status: 200, type: json, schema: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  {
    id: "getHealth",
    method: "GET",
    path: "/v1/health",
    tag: "server",
    summary: "Is the daemon up?",
    public: true,
    response: { status: 200, type: json, schema: HealthResponse },
    errors: [],
  },
  {
    id: "listAgents",
    method: "GET",
    path: "/v1/agents",
    tag: "agents",
    summary: "List agents with what they can do",
    response: { status: 200, type: json, schema: AgentListResponse },
    errors: [],
  },
  {
    id: "installAgent",
    method: "POST",
    path: "/v1/agents/{agent}/install",
    tag: "agents",
    summary: "Install an agent",
    body: { type: json, schema: AgentInstallRequest, optional: true },
    response: { status: 204 },
    errors: ["unsupported_agent", "install_failed", "timeout"],
  },
  {
    id: "getAgentModes",
    method: "GET",
    path: "/v1/agents/{agent}/modes",
    tag: "agents",
    summary: "List an agent's modes",
    response: { status: 200, type: json, schema: AgentModesResponse },
    errors: ["unsupported_agent", "agent_not_installed", "agent_process_exited", "stream_error", "timeout"],
  },
  {
    id: "getAgentModels",
    method: "GET",
    path: "/v1/agents/{agent}/models",
    tag: "agents",
    summary: "List an agent's models",
    response: { status: 200, type: json, schema: AgentModelsResponse },
    errors: ["unsupported_agent", "agent_not_installed", "agent_process_exited", "stream_error", "timeout"],
  },
  {
    id: "listSessions",
    method: "GET",
    path: "/v1/sessions",
    tag: "sessions",
    summary: "List sessions, newest first, ended ones included",
    response: { status: 200, type: json, schema: SessionListResponse },
    errors: [],
  },
  {
    id: "createSession",
    method: "POST",
    path: "/v1/sessions/{sessionId}",
    tag: "sessions",
    summary: "Create a session; installs the agent when it is missing",
    body: { type: json, schema: CreateSessionRequest },
    response: { status: 200, type: json, schema: CreateSessionResponse },
    errors: [
      "unsupported_agent",
      "mode_not_supported",
      "agent_not_installed",
      "session_already_exists",
      "install_failed",
      "timeout",
    ],
  },
  {
    id: "getSession",
    method: "GET",
    path: "/v1/sessions/{sessionId}",
    tag: "sessions",
    summary: "Read one session",
    response: { status: 200, type: json, schema: SessionInfo },
    errors: ["session_not_found"],
  },
  {
    id: "deleteSession",
    method: "DELETE",
    path: "/v1/sessions/{sessionId}",
    tag: "sessions",
    summary: "End a session and remove its log",
    response: { status: 204 },
    errors: ["session_not_found"],
  },
  {
    id: "postMessage",
    method: "POST",
    path: "/v1/sessions/{sessionId}/messages",
    tag: "sessions",
    summary: "Send a message; what happens arrives as events",
    headers: idempotencyKey,
    body: { type: json, schema: MessageRequest },
    response: { status: 202, type: json, schema: MessageResponse },
    errors: ["session_not_found", "session_ended", "too_many_requests"],
  },
  {
    id: "postMessageStream",
    method: "POST",
    path: "/v1/sessions/{sessionId}/messages/stream",
    tag: "sessions",
    summary: "Send a message and stream exactly its turn",
    query: TurnStreamQuery,
    headers: idempotencyKey,
    body: { type: json, schema: MessageRequest },
    response: { status: 200, type: sse, schema: UniversalEvent },
    errors: ["session_not_found", "session_ended", "too_many_requests"],
  },
  {
    id: "interruptSession",
    method: "POST",
    path: "/v1/sessions/{sessionId}/interrupt",
    tag: "sessions",
    summary: "Stop the running turn; the session stays usable",
    response: { status: 204 },
    errors: ["session_not_found", "session_ended"],
  },
  {
    id: "terminateSession",
    method: "POST",
    path: "/v1/sessions/{sessionId}/terminate",
    tag: "sessions",
    summary: "End a session; its log stays readable",
    response: { status: 204 },
    errors: ["session_not_found"],
  },
  {
    id: "getEvents",
    method: "GET",
    path: "/v1/sessions/{sessionId}/events",
    tag: "sessions",
    summary: "Read events after an offset",
    query: EventsQuery,
    response: { status: 200, type: json, schema: EventsResponse },
    errors: ["session_not_found"],
  },
  {
    id: "getEventsSse",
    method: "GET",
    path: "/v1/sessions/{sessionId}/events/sse",
    tag: "sessions",
    summary: "Follow events: first what was, then what comes",
    query: EventStreamQuery,
    headers: lastEventId,
    response: { status: 200, type: sse, schema: UniversalEvent },
    errors: ["session_not_found"],
  },
  {
    id: "replyQuestion",
    method: "POST",
    path: "/v1/sessions/{sessionId}/questions/{questionId}/reply",
    tag: "sessions",
    summary: "Answer a question",
    body: { type: json, schema: QuestionReplyRequest },
    response: { status: 204 },
    errors: ["session_not_found", "request_not_found", "request_already_resolved"],
  },
  {
    id: "rejectQuestion",
    method: "POST",
    path: "/v1/sessions/{sessionId}/questions/{questionId}/reject",
    tag: "sessions",
    summary: "Decline to answer a question",
    response: { status: 204 },
    errors: ["session_not_found", "request_not_found", "request_already_resolved"],
  },
  {
    id: "replyPermission",
    method: "POST",
    path: "/v1/sessions/{sessionId}/permissions/{permissionId}/reply",
    tag: "sessions",
    summary: "Allow or refuse what the agent asked for",
    body: { type: json, schema: PermissionReplyRequest },
    response: { status: 204 },
    errors: ["session_not_found", "request_not_found", "request_already_resolved"],
  },
  {
    id: "listFsEntries",
    method: "GET",
    path: "/v1/fs/entries",
    tag: "fs",
    summary: "List a directory",
    query: FsOptionalPathQuery,
    response: { status: 200, type: json, schema: z.array(FsEntry) },
    errors: ["session_not_found"],
  },
  {
    id: "readFsFile",
    method: "GET",
    path: "/v1/fs/file",
    tag: "fs",
    summary: "Read a file",
    query: FsPathQuery,
    response: { status: 200, type: bytes },
    errors: ["session_not_found"],
  },
  {
    id: "writeFsFile",
    method: "PUT",
    path: "/v1/fs/file",
    tag: "fs",
    summary: "Write a file; missing directories are made",
    query: FsPathQuery,
    body: { type: bytes },
    response: { status: 200, type: json, schema: FsWriteResponse },
    errors: ["session_not_found"],
  },
  {
    id: "deleteFsEntry",
    method: "DELETE",
    path: "/v1/fs/entry",
    tag: "fs",
    summary: "Delete a file or directory",
    query: FsDeleteQuery,
    response: { status: 200, type: json, schema: FsActionResponse },
    errors: ["session_not_found"],
  },
  {
    id: "mkdirFs",
    method: "POST",
    path: "/v1/fs/mkdir",
    tag: "fs",
    summary: "Make a directory and its parents",
    query: FsPathQuery,
    response: { status: 200, type: json, schema: FsActionResponse },
    errors: ["session_not_found"],
  },
  {
    id: "moveFs",
    method: "POST",
    path: "/v1/fs/move",
    tag: "fs",
    summary: "Move or rename a file or directory",
    query: FsSessionQuery,
    body: { type: json, schema: FsMoveRequest },
    response: { status: 200, type: json, schema: FsMoveResponse },
    errors: ["session_not_found"],
  },
  {
    id: "statFs",
    method: "GET",
    path: "/v1/fs/stat",
    tag: "fs",
    summary: "What is at a path?",
    query: FsPathQuery,
    response: { status: 200, type: json, schema: FsStat },
    errors: ["session_not_found"],
  },
  {
    id: "uploadFsBatch",
    method: "POST",
    path: "/v1/fs/upload-batch",
    tag: "fs",
    summary: "Unpack a tar archive into a directory",
    query: FsOptionalPathQuery,
    body: { type: "application/x-tar" },
    response: { status: 200, type: json, schema: FsUploadBatchResponse },
    errors: ["session_not_found"],
  },
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]["id"];
