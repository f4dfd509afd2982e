import type * as protocol from "@sandbox-agent-ts/protocol";

/** What a request may leave out is what its schema fills in. */
type InputOf<Schema extends { readonly _zod: { readonly input: unknown } }> = Schema["_zod"]["input"];

/** A new session; only its agent has to be named. */
export type CreateRuntimeSessionRequest = InputOf<typeof protocol.CreateRuntimeSessionRequest>;
/** A new name, or metadata in the place of what was there. */
export type UpdateRuntimeSessionRequest = InputOf<typeof protocol.UpdateRuntimeSessionRequest>;
/** A message to the agent: its text and attachments. */
export type RuntimeMessageRequest = Omit<InputOf<typeof protocol.RuntimeMessageRequest>, "idempotencyKey">;
/** What an agent is given besides its messages. */
export type AgentProfile = InputOf<typeof protocol.AgentProfile>;
/** A token's scope, and for how many seconds it holds. */
export type SessionTokenRequest = InputOf<typeof protocol.SessionTokenRequest>;

/** Query of `listAuditEntries`: page and filters. */
export type AuditQuery = protocol.AuditQuery;
/** Who did what, newest first. */
export type AuditResponse = protocol.AuditResponse;
/** Query of `diffCheckpoints`: whether with the diff's text. */
export type CheckpointDiffQuery = protocol.CheckpointDiffQuery;
/** The id of a new session, and where it runs. */
export type CreateRuntimeSessionResponse = protocol.CreateRuntimeSessionResponse;
/** A profile without what is in it. */
export type ListedProfile = protocol.ListedProfile;
/** The turn that a message will be. */
export type MessageResponse = protocol.MessageResponse;
/** The answer to a permission, and a reason for the model. */
export type PermissionReplyRequest = protocol.PermissionReplyRequest;
/** The newest version of each profile. */
export type ProfileListResponse = protocol.ProfileListResponse;
/** The answers to a question; null declines. */
export type QuestionAnswerRequest = protocol.QuestionAnswerRequest;
/** What changed from one checkpoint to another. */
export type RuntimeCheckpointDiff = protocol.RuntimeCheckpointDiff;
/** The checkpoints of a session, newest first. */
export type RuntimeCheckpointsResponse = protocol.RuntimeCheckpointsResponse;
/** Query of `listFiles` and `readFile`: from which checkpoint. */
export type RuntimeFilesQuery = protocol.RuntimeFilesQuery;
/** The files of a workspace. */
export type RuntimeFilesResponse = protocol.RuntimeFilesResponse;
/** A version of a profile. */
export type RuntimeProfile = protocol.RuntimeProfile;
/** A whole session: conversation, files and where it runs. */
export type RuntimeSession = protocol.RuntimeSession;
/** What is kept of a session, and where it runs. */
export type RuntimeSessionListItem = protocol.RuntimeSessionListItem;
/** Query of `listSessions`: page and filters. */
export type RuntimeSessionListQuery = protocol.RuntimeSessionListQuery;
/** Sessions, newest first, and the cursor of the next page. */
export type RuntimeSessionListResponse = protocol.RuntimeSessionListResponse;
/** How the agent works. */
export type RuntimeSessionOptions = protocol.RuntimeSessionOptions;
/** Where a session runs. */
export type RuntimeStateResponse = protocol.RuntimeStateResponse;
/** A token for one session, and until when it holds. */
export type SessionTokenResponse = protocol.SessionTokenResponse;
/** What a principal has, and may have. */
export type UsageResponse = protocol.UsageResponse;
