import type { components, operations } from "./openapi.gen.ts";

type Schemas = components["schemas"];
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;

/** What a tool call does, whatever the agent calls its tool. */
export type ActionKind = Schemas["ActionKind"];
/** What an agent can do, one flag per feature. */
export type AgentCapabilities = Schemas["AgentCapabilities"];
/** Why a session could not be created or is not healthy. */
export type AgentError = Schemas["AgentError"];
/** An agent that the daemon knows: whether it is installed, its version, credentials and capabilities. */
export type AgentInfo = Schemas["AgentInfo"];
/** What an installation does right now: the step, and where they are counted its bytes. */
export type AgentInstallProgress = Schemas["AgentInstallProgress"];
/** What happens during an installation. */
export type AgentInstallEvent = Schemas["AgentInstallEvent"];
/** Options of `installAgent`. */
export type AgentInstallRequest = Schemas["AgentInstallRequest"];
/** Whether the agent was installed already, and which programs are where. */
export type AgentInstallResponse = Schemas["AgentInstallResponse"];
/** Every agent that the daemon knows. */
export type AgentListResponse = Schemas["AgentListResponse"];
/** A mode that a session of an agent can be created with. */
export type AgentMode = Schemas["AgentMode"];
/** A model of an agent, with its variants. */
export type AgentModel = Schemas["AgentModel"];
/** The models of an agent and its default. */
export type AgentModelsResponse = Schemas["AgentModelsResponse"];
/** The modes of an agent. */
export type AgentModesResponse = Schemas["AgentModesResponse"];
/** Output of an agent that could not be parsed: why, where and its hash. */
export type AgentUnparsedData = Schemas["AgentUnparsedData"];
/** The event `agent.unparsed`. */
export type AgentUnparsedEvent = Schemas["AgentUnparsedEvent"];
/** A part of an item's content; narrows by `type`. */
export type ContentPart = Schemas["ContentPart"];
/** An amount of money and its currency, where the agent reports it. */
export type Cost = Schemas["Cost"];
/** The settings of a new session; only `agent` is required. */
export type CreateSessionRequest = Schemas["CreateSessionRequest"];
/** Whether the new session is healthy, and why not. */
export type CreateSessionResponse = Schemas["CreateSessionResponse"];
/** What a delta belongs to: the answer, reasoning, a tool's arguments or its output. */
export type DeltaPart = Schemas["DeltaPart"];
/** What a diff compares with: the session's first message or the start of a turn. */
export type DiffBase = Schemas["DiffBase"];
/** How a diff is known: from git, from a snapshot of the directory, or from the agent's reports. */
export type DiffSource = Schemas["DiffSource"];
/** An error in a session; the turn may go on. */
export type ErrorData = Schemas["ErrorData"];
/** The event `error`. */
export type ErrorEvent = Schemas["ErrorEvent"];
/** Who emitted an event: the agent or the daemon. */
export type EventSource = Schemas["EventSource"];
/** A page of events, and whether more follow. */
export type EventsResponse = Schemas["EventsResponse"];
/** A file that was added, modified, deleted or renamed, with its count of lines. */
export type FileChange = Schemas["FileChange"];
/** A file that a tool read or changed, with its diff. */
export type FileRefPart = Schemas["FileRefPart"];
/** The path that was created or deleted. */
export type FsActionResponse = Schemas["FsActionResponse"];
/** An entry of a directory. */
export type FsEntry = Schemas["FsEntry"];
/** A file or a directory. */
export type FsEntryType = Schemas["FsEntryType"];
/** What to move, where to, and whether to overwrite. */
export type FsMoveRequest = Schemas["FsMoveRequest"];
/** The paths before and after a move. */
export type FsMoveResponse = Schemas["FsMoveResponse"];
/** What is at a path: kind, size and time of change. */
export type FsStat = Schemas["FsStat"];
/** The paths that were unpacked from an archive. */
export type FsUploadBatchResponse = Schemas["FsUploadBatchResponse"];
/** What happens to a file or directory, that the stream is ready, or that too much happened to be told. */
export type FsChange = Schemas["FsChange"];
/** Paths to delete. */
export type FsDeleteBatchRequest = Schemas["FsDeleteBatchRequest"];
/** How many of them were deleted, and how many were not there. */
export type FsDeleteBatchResponse = Schemas["FsDeleteBatchResponse"];
/** A line of a manifest: an entry, something left out, or the end; narrows by `type`. */
export type FsManifestLine = Schemas["FsManifestLine"];
/** Paths to pack. */
export type FsTarRequest = Schemas["FsTarRequest"];
/** Something that a manifest does not have, and why. */
export type LeftOut = Schemas["LeftOut"];
/** Why something is not in a manifest. */
export type LeftOutReason = Schemas["LeftOutReason"];
/** The path that was written and how many bytes. */
export type FsWriteResponse = Schemas["FsWriteResponse"];
/** The daemon's status, version and uptime. */
export type HealthResponse = Schemas["HealthResponse"];
/** What the daemon holds in memory. */
export type MemoryUse = Schemas["MemoryUse"];
/** An image, by its path. */
export type ImagePart = Schemas["ImagePart"];
/** The event `item.completed`. */
export type ItemCompletedEvent = Schemas["ItemCompletedEvent"];
/** The next piece of an item's text. */
export type ItemDeltaData = Schemas["ItemDeltaData"];
/** The event `item.delta`. */
export type ItemDeltaEvent = Schemas["ItemDeltaEvent"];
/** The item that was started or completed. */
export type ItemEventData = Schemas["ItemEventData"];
/** What an item is: a message, a tool call, its result, a status. */
export type ItemKind = Schemas["ItemKind"];
/** Whose item it is: the user's, the assistant's, the system's or a tool's. */
export type ItemRole = Schemas["ItemRole"];
/** The event `item.started`. */
export type ItemStartedEvent = Schemas["ItemStartedEvent"];
/** Whether an item is in progress, completed or failed. */
export type ItemStatus = Schemas["ItemStatus"];
/** A value that has no form of its own in the schema. */
export type JsonPart = Schemas["JsonPart"];
/** An MCP server of a session: a local command or a remote address. */
export type McpServerConfig = Schemas["McpServerConfig"];
/** A file that is sent with a message, by path or URL. */
export type MessageAttachment = Schemas["MessageAttachment"];
/** A message to the agent: its text and attachments. */
export type MessageRequest = Schemas["MessageRequest"];
/** The turn that a message will be. */
export type MessageResponse = Schemas["MessageResponse"];
/** A permission or question that waits for a person, in brief. */
export type PendingRequest = Schemas["PendingRequest"];
/** How much the agent may do without asking. */
export type PermissionMode = Schemas["PermissionMode"];
/** Rules that decide about permissions before a person is asked. */
export type PermissionPolicy = Schemas["PermissionPolicy"];
/** An answer to a permission: `once`, `always` or `reject`. */
export type PermissionReply = Schemas["PermissionReply"];
/** The answer to a permission, and a reason for the model. */
export type PermissionReplyRequest = Schemas["PermissionReplyRequest"];
/** What the agent asks permission for. */
export type PermissionRequestedData = Schemas["PermissionRequestedData"];
/** The event `permission.requested`. */
export type PermissionRequestedEvent = Schemas["PermissionRequestedEvent"];
/** A permission with its answer and who gave it. */
export type PermissionResolvedData = Schemas["PermissionResolvedData"];
/** The event `permission.resolved`. */
export type PermissionResolvedEvent = Schemas["PermissionResolvedEvent"];
/** What a policy does with a request: `allow`, `ask` or `deny`. */
export type PolicyAction = Schemas["PolicyAction"];
/** A rule of a policy; it applies when all of its fields match. */
export type PolicyRule = Schemas["PolicyRule"];
/** The RFC 9457 body of every error response. */
export type ProblemDetails = Schemas["ProblemDetails"];
/** One question of a request, with its options. */
export type Question = Schemas["Question"];
/** A question, or the approval of a plan. */
export type QuestionKind = Schemas["QuestionKind"];
/** The answers to a request: one array of labels per question. */
export type QuestionReplyRequest = Schemas["QuestionReplyRequest"];
/** What the agent asks: one or more questions, or the approval of a plan. */
export type QuestionRequestedData = Schemas["QuestionRequestedData"];
/** The event `question.requested`. */
export type QuestionRequestedEvent = Schemas["QuestionRequestedEvent"];
/** A question with its answers and who gave them. */
export type QuestionResolvedData = Schemas["QuestionResolvedData"];
/** The event `question.resolved`. */
export type QuestionResolvedEvent = Schemas["QuestionResolvedEvent"];
/** Reasoning of the model. */
export type ReasoningPart = Schemas["ReasoningPart"];
/** Who answered a request: a person, a policy, a timeout, the agent or the daemon. */
export type RequestResolver = Schemas["RequestResolver"];
/** How requests are answered that nobody answers in time. */
export type RequestTimeout = Schemas["RequestTimeout"];
/** What the server is: its version, and where its API and inspector are. */
export type ServerInfo = Schemas["ServerInfo"];
/** The state of the process that the sessions of an agent share. */
export type ServerStatusInfo = Schemas["ServerStatusInfo"];
/** The settings of a session that changed. */
export type SessionChanges = Schemas["SessionChanges"];
/** What changed in a session's directory: files and a unified diff. */
export type SessionDiff = Schemas["SessionDiff"];
/** Why a session ended, and what its agent last wrote to stderr. */
export type SessionEndedData = Schemas["SessionEndedData"];
/** The event `session.ended`. */
export type SessionEndedEvent = Schemas["SessionEndedEvent"];
/** A session: its settings, status, open requests and usage. */
export type SessionInfo = Schemas["SessionInfo"];
/** A session in the stream of all sessions: `SessionInfo` without its longer settings. */
export type SessionListEntry = Schemas["SessionListEntry"];
/** A change of the list of sessions; narrows by `type`. */
export type SessionListEvent = Schemas["SessionListEvent"];
/** Sessions, newest first, and the cursor of the next page. */
export type SessionListResponse = Schemas["SessionListResponse"];
/** What the agent reported when the session started. */
export type SessionStartedData = Schemas["SessionStartedData"];
/** The event `session.started`. */
export type SessionStartedEvent = Schemas["SessionStartedEvent"];
/** Whether a session is idle, running, waiting for a person or ended. */
export type SessionStatus = Schemas["SessionStatus"];
/** What was changed about a session. */
export type SessionUpdatedData = Schemas["SessionUpdatedData"];
/** The event `session.updated`. */
export type SessionUpdatedEvent = Schemas["SessionUpdatedEvent"];
/** Where the skills of a session come from. */
export type SkillsConfig = Schemas["SkillsConfig"];
/** Progress that the agent reports. */
export type StatusPart = Schemas["StatusPart"];
/** The first and last lines of an agent's stderr. */
export type StderrExcerpt = Schemas["StderrExcerpt"];
/** Text of a message. */
export type TextPart = Schemas["TextPart"];
/** A call of a tool: its name, arguments and id. */
export type ToolCallPart = Schemas["ToolCallPart"];
/** The output of a tool call. */
export type ToolResultPart = Schemas["ToolResultPart"];
/** How a turn ended: `completed`, `interrupted` or `error`. */
export type TurnEndReason = Schemas["TurnEndReason"];
/** The turn that ended, how, and what it used. */
export type TurnEndedData = Schemas["TurnEndedData"];
/** The event `turn.ended`. */
export type TurnEndedEvent = Schemas["TurnEndedEvent"];
/** How a turn ended: reason, message, usage, cost and model. */
export type TurnEndedMetadata = Schemas["TurnEndedMetadata"];
/** The turn that started. */
export type TurnStartedData = Schemas["TurnStartedData"];
/** The event `turn.started`. */
export type TurnStartedEvent = Schemas["TurnStartedEvent"];
/** The client's own id of the message that started the turn. */
export type TurnStartedMetadata = Schemas["TurnStartedMetadata"];
/** Which turn runs, and which messages wait behind it. */
export type TurnsResponse = Schemas["TurnsResponse"];
/** A message whose turn has not begun. */
export type WaitingTurn = Schemas["WaitingTurn"];
/** A conversation that happened elsewhere: its events, or the agent's own files. */
export type RestoreRequest = Schemas["RestoreRequest"];
/** The sandbox that a runtime makes for a session. */
export type SandboxRequest = Schemas["SandboxRequest"];
/** A session's sandbox as a runtime tells it. */
export type SandboxState = Schemas["SandboxState"];
/** How a session's sandbox is doing. */
export type SandboxStatus = Schemas["SandboxStatus"];
/** What a client wants to find again with a session. */
export type SessionMetadata = Schemas["SessionMetadata"];
/** Where a session runs; only a runtime tells it. */
export type SessionRuntimeState = Schemas["SessionRuntimeState"];
/** A numbered entry of a session's log; narrows by `type`. */
export type UniversalEvent = Schemas["UniversalEvent"];
/** A thing in a turn: a message, a tool call, its result, a status. */
export type UniversalItem = Schemas["UniversalItem"];
/** Settings to change; absent ones stay. */
export type UpdateSessionRequest = Schemas["UpdateSessionRequest"];
/** Tokens of one turn, or of all turns of a session. */
export type Usage = Schemas["Usage"];

/** Query of `getDiff`: which turn and path, and whether with the diff's text. */
export type DiffQuery = Omit<QueryOf<"getDiff">, "format"> & { format?: "full" | "summary" };
/** Query of `listAgents`: whether with the newest versions. */
export type AgentListQuery = QueryOf<"listAgents">;
/** Query of `getHealth`: whether with what is held in memory. */
export type HealthQuery = QueryOf<"getHealth">;
/** Query of `getEvents`: where to begin and how many. */
export type EventsQuery = QueryOf<"getEvents">;
/** Query of `streamEvents`: where to begin. */
export type EventStreamQuery = QueryOf<"getEventsSse">;
/** Query of `listSessions`: page and filters. */
export type SessionListQuery = QueryOf<"listSessions">;
/** Query of `getSessionListSse`: after which event to begin. */
export type SessionListStreamQuery = QueryOf<"getSessionListSse">;
/** Query of `streamTurn`. */
export type TurnStreamQuery = QueryOf<"postMessageStream">;
/** A path, relative to a session's directory if a session is given. */
export type FsPathQuery = QueryOf<"readFsFile">;
/** A directory; without a path the session's own. */
export type FsOptionalPathQuery = QueryOf<"listFsEntries">;
/** A directory, and what of it a manifest has. */
export type FsManifestQuery = QueryOf<"getFsManifest">;
/** The directory to unpack into, and how. */
export type FsUploadQuery = QueryOf<"uploadFsBatch">;
/** What to delete, and whether with everything in it. */
export type FsDeleteQuery = QueryOf<"deleteFsEntry">;
/** The session whose directory relative paths start from. */
export type FsSessionQuery = QueryOf<"moveFs">;

/** The `type` of an event, e.g. `item.delta`. */
export type EventType = UniversalEvent["type"];
/** The event of one type, e.g. `EventOf<"item.delta">`. */
export type EventOf<T extends EventType> = Extract<UniversalEvent, { type: T }>;
