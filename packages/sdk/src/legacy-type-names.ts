import type {
  AgentMode,
  AgentModel,
  EventType,
  FileRefPart,
  FsOptionalPathQuery,
  PermissionRequestedData,
  PermissionResolvedData,
  QuestionRequestedData,
  QuestionResolvedData,
  ReasoningPart,
  SessionEndedData,
  UniversalEvent,
} from "./api-types.ts";

/** Names that 0.1.11 gave to types which are called otherwise now, so that code written for it compiles. */
export type AgentModeInfo = AgentMode;
export type AgentModelInfo = AgentModel;
export type FileAction = FileRefPart["action"];
export type FsEntriesQuery = FsOptionalPathQuery;
export type FsUploadBatchQuery = FsOptionalPathQuery;
export type PermissionEventData = PermissionRequestedData | PermissionResolvedData;
export type PermissionStatus = PermissionEventData["status"];
export type QuestionEventData = QuestionRequestedData | QuestionResolvedData;
export type QuestionStatus = QuestionEventData["status"];
export type ReasoningVisibility = ReasoningPart["visibility"];
export type SessionEndReason = SessionEndedData["reason"];
export type TerminatedBy = SessionEndedData["terminated_by"];
export type UniversalEventData = UniversalEvent["data"];
export type UniversalEventType = EventType;
