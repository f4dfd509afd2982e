import { z } from "zod";
import { UniversalItem } from "./universal-item.ts";
import { Cost, Usage } from "./usage.ts";

export const SessionStartedData = z
  .object({ metadata: z.record(z.string(), z.unknown()).nullish() })
  .meta({ id: "SessionStartedData" });
export type SessionStartedData = z.infer<typeof SessionStartedData>;

export const StderrExcerpt = z
  .object({
    head: z.string().nullish(),
    tail: z.string().nullish(),
    truncated: z.boolean(),
    total_lines: z.int().nullish(),
  })
  .meta({ id: "StderrExcerpt" });
export type StderrExcerpt = z.infer<typeof StderrExcerpt>;

export const SessionEndedData = z
  .object({
    reason: z.enum(["completed", "error", "terminated"]),
    terminated_by: z.enum(["agent", "daemon"]),
    message: z.string().nullish(),
    exit_code: z.int().nullish(),
    stderr: StderrExcerpt.nullish(),
  })
  .meta({ id: "SessionEndedData" });
export type SessionEndedData = z.infer<typeof SessionEndedData>;

export const TurnEndReason = z.enum(["completed", "interrupted", "error"]).meta({ id: "TurnEndReason" });
export type TurnEndReason = z.infer<typeof TurnEndReason>;

export const TurnStartedData = z
  .object({
    phase: z.literal("started"),
    turn_id: z.string(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "TurnStartedData" });
export type TurnStartedData = z.infer<typeof TurnStartedData>;

export const TurnEndedMetadata = z
  .looseObject({
    reason: TurnEndReason,
    message: z.string().nullish().describe("Why, when the reason is error"),
    usage: Usage.nullish(),
    cost: Cost.nullish(),
    model: z.string().nullish(),
  })
  .meta({ id: "TurnEndedMetadata" });
export type TurnEndedMetadata = z.infer<typeof TurnEndedMetadata>;

export const TurnEndedData = z
  .object({ phase: z.literal("ended"), turn_id: z.string(), metadata: TurnEndedMetadata })
  .meta({ id: "TurnEndedData" });
export type TurnEndedData = z.infer<typeof TurnEndedData>;

export const ItemEventData = z.object({ item: UniversalItem }).meta({ id: "ItemEventData" });
export type ItemEventData = z.infer<typeof ItemEventData>;

export const ItemDeltaData = z
  .object({ item_id: z.string(), native_item_id: z.string().nullish(), delta: z.string() })
  .meta({ id: "ItemDeltaData" });
export type ItemDeltaData = z.infer<typeof ItemDeltaData>;

export const PermissionReply = z.enum(["once", "always", "reject"]).meta({ id: "PermissionReply" });
export type PermissionReply = z.infer<typeof PermissionReply>;

export const PermissionRequestedData = z
  .object({
    permission_id: z.string(),
    action: z.string().describe("What the agent wants to do"),
    status: z.literal("requested"),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "PermissionRequestedData" });
export type PermissionRequestedData = z.infer<typeof PermissionRequestedData>;

export const PermissionResolvedData = z
  .object({
    permission_id: z.string(),
    action: z.string(),
    status: z.enum(["approved", "denied"]),
    reply: PermissionReply.nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "PermissionResolvedData" });
export type PermissionResolvedData = z.infer<typeof PermissionResolvedData>;

export const Question = z
  .object({
    header: z.string().nullish(),
    prompt: z.string(),
    options: z.array(z.object({ label: z.string(), description: z.string().nullish() })),
    multi_select: z.boolean(),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

const questionFields = {
  question_id: z.string(),
  prompt: z.string().describe("The first question's text"),
  options: z.array(z.string()).describe("The first question's labels"),
  questions: z.array(Question).nullish().describe("All questions of the request"),
};

export const QuestionRequestedData = z
  .object({ ...questionFields, status: z.literal("requested") })
  .meta({ id: "QuestionRequestedData" });
export type QuestionRequestedData = z.infer<typeof QuestionRequestedData>;

export const QuestionResolvedData = z
  .object({
    ...questionFields,
    status: z.enum(["answered", "rejected"]),
    response: z.string().nullish().describe("The first question's answer, labels joined with a comma"),
    answers: z.array(z.array(z.string())).nullish().describe("One array of selected labels per question"),
  })
  .meta({ id: "QuestionResolvedData" });
export type QuestionResolvedData = z.infer<typeof QuestionResolvedData>;

export const ErrorData = z
  .object({ message: z.string(), code: z.string().nullish(), details: z.unknown().optional() })
  .meta({ id: "ErrorData" });
export type ErrorData = z.infer<typeof ErrorData>;

export const AgentUnparsedData = z
  .object({ error: z.string(), location: z.string(), raw_hash: z.string().nullish() })
  .meta({ id: "AgentUnparsedData" });
export type AgentUnparsedData = z.infer<typeof AgentUnparsedData>;
