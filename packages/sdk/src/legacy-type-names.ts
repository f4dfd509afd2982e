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

// Names that 0.1.11 gave to types which are called otherwise now, so that code written for it compiles.

/** `AgentMode` under the name that 0.1.11 gave it. */
export type AgentModeInfo = AgentMode;
/** `AgentModel` under the name that 0.1.11 gave it. */
export type AgentModelInfo = AgentModel;
/** `FileRefPart["action"]` under the name that 0.1.11 gave it. */
export type FileAction = FileRefPart["action"];
/** `FsOptionalPathQuery` under the name that 0.1.11 gave it. */
export type FsEntriesQuery = FsOptionalPathQuery;
/** `FsOptionalPathQuery` under the name that 0.1.11 gave it. */
export type FsUploadBatchQuery = FsOptionalPathQuery;
/** `PermissionRequestedData | PermissionResolvedData` under the name that 0.1.11 gave it. */
export type PermissionEventData = PermissionRequestedData | PermissionResolvedData;
/** `PermissionEventData["status"]` under the name that 0.1.11 gave it. */
export type PermissionStatus = PermissionEventData["status"];
/** `QuestionRequestedData | QuestionResolvedData` under the name that 0.1.11 gave it. */
export type QuestionEventData = QuestionRequestedData | QuestionResolvedData;
/** `QuestionEventData["status"]` under the name that 0.1.11 gave it. */
export type QuestionStatus = QuestionEventData["status"];
/** `ReasoningPart["visibility"]` under the name that 0.1.11 gave it. */
export type ReasoningVisibility = ReasoningPart["visibility"];
/** `SessionEndedData["reason"]` under the name that 0.1.11 gave it. */
export type SessionEndReason = SessionEndedData["reason"];
/** `SessionEndedData["terminated_by"]` under the name that 0.1.11 gave it. */
export type TerminatedBy = SessionEndedData["terminated_by"];
/** `UniversalEvent["data"]` under the name that 0.1.11 gave it. */
export type UniversalEventData = UniversalEvent["data"];
/** `EventType` under the name that 0.1.11 gave it. */
export type UniversalEventType = EventType;
