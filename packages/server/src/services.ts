import type {
  AgentInfo,
  AgentInstallProgress,
  AgentInstallResponse,
  AgentListQuery,
  AgentModelsResponse,
  AgentModesResponse,
  CreateSessionRequest,
  CreateSessionResponse,
  DiffQuery,
  MessageRequest,
  PermissionReplyRequest,
  SessionDiff,
  SessionInfo,
  SessionListQuery,
  SessionListResponse,
  TurnsResponse,
  UpdateSessionRequest,
} from "@sandbox-agent-ts/protocol";
import type { EventChunk, FollowOptions } from "@sandbox-agent-ts/store";
import type { ListFrames } from "./session-list-feed.ts";

export interface AgentsService {
  /** With `newest`, also which version of each is the newest that can be had, where that is found out soon. */
  list(query: AgentListQuery): Promise<readonly AgentInfo[]>;
  install(agent: string, options: InstallOptions): Promise<AgentInstallResponse>;
  modes(agent: string): Promise<AgentModesResponse>;
  models(agent: string): Promise<AgentModelsResponse>;
}

export interface InstallOptions {
  readonly reinstall: boolean;
  /** Called with every piece that arrives: hundreds of times a second. It must not throw. */
  readonly onProgress?: (progress: AgentInstallProgress) => void;
}

/** Every method rejects with `session_not_found` where there is no such session, or none for whoever asks. */
export interface SessionsService {
  page(query: SessionListQuery): Promise<SessionListResponse>;
  /** What happens to the list of sessions after the event with this id. */
  followList(lastEventId: string | undefined, signal: AbortSignal): AsyncIterable<ListFrames>;
  /** The key that the session was created with answers as the first time. */
  create(
    sessionId: string,
    request: CreateSessionRequest,
    idempotencyKey: string | undefined,
  ): Promise<CreateSessionResponse>;
  info(sessionId: string): Promise<SessionInfo>;
  update(sessionId: string, request: UpdateSessionRequest): Promise<SessionInfo>;
  delete(sessionId: string): Promise<void>;
  /** Resolves when the message is durable. */
  admit(sessionId: string, request: MessageRequest, idempotencyKey: string | undefined): Promise<TurnPlace>;
  turns(sessionId: string): Promise<TurnsResponse>;
  /** Resolves when it can never run, whoever is killed; one that has begun is refused. */
  withdrawTurn(sessionId: string, turnId: string): Promise<void>;
  interrupt(sessionId: string): Promise<void>;
  terminate(sessionId: string): Promise<void>;
  log(sessionId: string): Promise<ReadableLog>;
  diff(sessionId: string, query: DiffQuery): Promise<SessionDiff & { readonly patch?: Uint8Array | undefined }>;
  replyPermission(sessionId: string, permissionId: string, reply: PermissionReplyRequest): Promise<void>;
  /** `null` declines to answer. */
  replyQuestion(sessionId: string, questionId: string, answers: string[][] | null): Promise<void>;
}

/** Which turn a message became, and behind which event of the log it happens. */
export interface TurnPlace {
  readonly turnId: string;
  readonly after: number;
  /** Aborted when the turn is withdrawn; absent when it has begun. */
  readonly withdrawn?: AbortSignal | undefined;
}

/** The log of a session, as `SessionLog` of the store serves it. */
export interface ReadableLog {
  /** The last sequence a reader can see. */
  readonly head: number;
  read(after: number, limit: number, raw: boolean): AsyncIterable<EventChunk>;
  follow(after: number, options: FollowOptions): AsyncIterable<EventChunk>;
}
