import { z } from "zod";
import { SessionChanges } from "./session-settings.ts";
import { ActionKind } from "./tool-call.ts";
import { UniversalItem } from "./universal-item.ts";
import { Cost, Usage } from "./usage.ts";

export const SessionStartedData = z
  .object({ metadata: z.record(z.string(), z.unknown()).nullish() })
  .meta({ id: "SessionStartedData" });
export type SessionStartedData = z.infer<typeof SessionStartedData>;

export const SessionUpdatedData = z
  .object({ changes: SessionChanges.describe("What holds from now on; what is absent did not change") })
  .meta({ id: "SessionUpdatedData" });
export type SessionUpdatedData = z.infer<typeof SessionUpdatedData>;

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

export const TurnStartedMetadata = z
  .looseObject({ client_message_id: z.string().nullish().describe("The id that the sender gave the message") })
  .meta({ id: "TurnStartedMetadata" });
export type TurnStartedMetadata = z.infer<typeof TurnStartedMetadata>;

export const TurnStartedData = z
  .object({ phase: z.literal("started"), turn_id: z.string(), metadata: TurnStartedMetadata.nullish() })
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

export const DeltaPart = z.enum(["text", "reasoning", "arguments", "output"]).meta({
  id: "DeltaPart",
  description: "What is being written: an answer, reasoning, a tool's arguments or its output",
});
export type DeltaPart = z.infer<typeof DeltaPart>;

export const ItemDeltaData = z
  .object({
    item_id: z.string(),
    native_item_id: z.string().nullish(),
    delta: z.string(),
    part: DeltaPart.nullish().describe("What the agent is writing; absent for the user's own message"),
  })
  .meta({ id: "ItemDeltaData" });
export type ItemDeltaData = z.infer<typeof ItemDeltaData>;

export const PermissionReply = z.enum(["once", "always", "reject"]).meta({ id: "PermissionReply" });
export type PermissionReply = z.infer<typeof PermissionReply>;

export const RequestResolver = z.enum(["person", "policy", "remembered", "timeout", "agent", "daemon"]).meta({
  id: "RequestResolver",
  description:
    "Who decided: a person, the session's policy, an earlier `always`, the request's timeout, the agent that withdrew it, or the daemon because the turn ended",
});
export type RequestResolver = z.infer<typeof RequestResolver>;

/** What a request is about. Every adapter fills what applies; absent only in logs of versions before 0.2. */
const callFields = {
  call_id: z.string().nullish().describe("`call_id` of the tool call it is about"),
  item_id: z.string().nullish().describe("`item_id` of that tool call"),
};

const permissionFields = {
  permission_id: z.string(),
  action: z.string().describe("What the agent wants to do, as a sentence"),
  kind: ActionKind.nullish(),
  tool: z.string().nullish().describe("The agent's own name of the tool"),
  paths: z.array(z.string()).nullish().describe("Files that are touched, absolute; a move names source and target"),
  command: z.string().nullish().describe("The command line, for execute"),
  cwd: z.string().nullish().describe("Where the command runs, absolute"),
  url: z.string().nullish().describe("What is fetched"),
  diff: z.string().nullish().describe("Unified diff of the change"),
  mcp_server: z.string().nullish().describe("The MCP server whose tool it is, for mcp"),
  ...callFields,
  metadata: z.record(z.string(), z.unknown()).nullish().describe("What else the agent says; differs by agent"),
};

const resolutionFields = {
  resolved_by: RequestResolver.nullish(),
  reason: z.string().nullish().describe("Why it was decided so, as the model is told where the agent takes it"),
};

export const PermissionRequestedData = z
  .object({ ...permissionFields, status: z.literal("requested") })
  .meta({ id: "PermissionRequestedData" });
export type PermissionRequestedData = z.infer<typeof PermissionRequestedData>;

export const PermissionResolvedData = z
  .object({
    ...permissionFields,
    status: z.enum(["approved", "denied"]),
    reply: PermissionReply.nullish(),
    ...resolutionFields,
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

export const QuestionKind = z
  .enum(["question", "plan"])
  .meta({ id: "QuestionKind", description: "A question, or the approval of a plan" });
export type QuestionKind = z.infer<typeof QuestionKind>;

const questionFields = {
  question_id: z.string(),
  kind: QuestionKind.nullish(),
  plan: z.string().nullish().describe("The plan to approve, where kind is plan and the agent tells it"),
  ...callFields,
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
    ...resolutionFields,
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
