export {
  applyToBlocks,
  type BlockChange,
  type BlockState,
  blocksOfEvents,
  type ConversationBlock,
  ConversationBlocks,
  createBlockState,
  emptyTranscript,
  foldEvents,
  type SessionBlocks,
  streamedText,
  type Transcript,
  type TranscriptError,
  type TranscriptTurn,
} from "@sandbox-agent-ts/protocol";
export type * from "./api-types.ts";
export { SandboxAgent } from "./client.ts";
export type {
  CreateSessionOptions,
  PostMessageOptions,
  SandboxAgentConnectOptions,
  SandboxAgentStartOptions,
  StreamEventsOptions,
} from "./client-options.ts";
export type { DaemonPlace } from "./http/http.ts";
export { createIdempotencyKey } from "./idempotency-key.ts";
export type * from "./legacy-type-names.ts";
export type { components, operations, paths } from "./openapi.gen.ts";
export { SandboxAgentError } from "./sandbox-agent-error.ts";
export { type AnswerChoice, answersFor } from "./session/answers.ts";
export type {
  PermissionDecision,
  PermissionHandler,
  QuestionDecision,
  QuestionHandler,
  RequestHandlers,
} from "./session/request-responder.ts";
export type { RunResult } from "./session/run-result.ts";
export { type Prompt, type RunOptions, SessionHandle, type Subscription } from "./session/session-handle.ts";
export { TurnText } from "./session/turn-text.ts";
export type { SandboxAgentSpawnLogMode, SandboxAgentSpawnOptions } from "./spawn/spawn-options.ts";
export type { EventLines } from "./stream/event-records.ts";
export type { ReconnectOptions } from "./stream/follow-events.ts";
