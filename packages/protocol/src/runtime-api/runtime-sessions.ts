import { z } from "zod";
import type { ConversationBlock } from "../blocks/conversation-block.ts";
import { MessageAttachment } from "../message.ts";
import { PermissionPolicy, RequestTimeout } from "../policy.ts";
import { SandboxRequest, SessionRuntimeState } from "../sandbox.ts";
import { SessionMetadata } from "../session.ts";
import { PermissionMode } from "../session-settings.ts";

const maxNameLength = 500;
const maxIdLength = 512;
const maxKeyLength = 255;

export const RuntimeSessionListItem = z
  .object({
    sessionId: z.string(),
    type: z.string().describe("The id of its agent"),
    agentProfileReference: z.string().describe("Empty for none"),
    name: z.string().optional(),
    createdAt: z.int().optional().describe("Epoch milliseconds"),
    lastActivity: z.int().optional().describe("Epoch milliseconds"),
    metadata: SessionMetadata.optional(),
    runtime: SessionRuntimeState,
  })
  .meta({ id: "RuntimeSessionListItem", description: "What is kept of a session, and where it runs now" });
export type RuntimeSessionListItem = z.infer<typeof RuntimeSessionListItem>;

export const RuntimeSessionListResponse = z
  .object({
    sessions: z.array(RuntimeSessionListItem),
    nextCursor: z.string().optional().describe("Where the next page begins; absent when there is none"),
  })
  .meta({ id: "RuntimeSessionListResponse" });
export type RuntimeSessionListResponse = z.infer<typeof RuntimeSessionListResponse>;

/** Every kind of block has these; what else it has depends on its `type`. */
const Block = z
  .looseObject({
    id: z.string(),
    conversationId: z.string().describe("`main`, or that of a subagent"),
    type: z.string(),
    timestamp: z.string().nullable(),
  })
  .meta({ id: "ConversationBlock", description: "A piece of the conversation as a chat shows it" });
const blocks = z.array(Block as unknown as z.ZodType<ConversationBlock>);

export const RuntimeSession = RuntimeSessionListItem.extend({
  blocks: blocks.describe("The conversation with the user; of a very long one the end"),
  workspaceFiles: z.array(z.object({ path: z.string(), content: z.string() })),
  subagents: z.array(z.object({ id: z.string(), blocks })),
  omittedBlocks: z.int().optional().describe("How many blocks were left out at the beginning, if any were"),
}).meta({ id: "RuntimeSession", description: "A whole session" });
export type RuntimeSession = z.infer<typeof RuntimeSession>;

export const RuntimeSessionOptions = z
  .object({
    agentMode: z.string().min(1).optional(),
    permissionMode: PermissionMode.optional(),
    model: z.string().min(1).nullable().optional().describe("null: the agent's default"),
    variant: z.string().min(1).nullable().optional().describe("null: the model's default"),
    policy: PermissionPolicy.nullable().optional().describe("null: none"),
    requestTimeout: RequestTimeout.nullable().optional().describe("null: requests wait for a person"),
  })
  .meta({ id: "RuntimeSessionOptions", description: "How the agent works, from its next turn on" });
export type RuntimeSessionOptions = z.infer<typeof RuntimeSessionOptions>;

export const CreateRuntimeSessionRequest = z
  .object({
    type: z.string().min(1).optional().describe("The agent, also as `claude-sdk` or `gemini-cli`"),
    agent: z.string().min(1).optional().describe("The agent's id; the same as `type`"),
    agentProfileReference: z.string().optional().describe("The profile that the agent is given"),
    name: z.string().max(maxNameLength).optional(),
    metadata: SessionMetadata.optional(),
    sessionId: z.string().min(1).max(maxIdLength).optional().describe("Default: one that nobody guesses"),
    sandbox: SandboxRequest.optional(),
    options: RuntimeSessionOptions.optional(),
  })
  .refine(({ type, agent }) => (type ?? agent) !== undefined, { path: ["agent"], message: "name an agent" })
  .meta({ id: "CreateRuntimeSessionRequest" });
export type CreateRuntimeSessionRequest = z.infer<typeof CreateRuntimeSessionRequest>;

export const CreateRuntimeSessionResponse = z
  .object({ sessionId: z.string(), runtime: SessionRuntimeState })
  .meta({ id: "CreateRuntimeSessionResponse" });
export type CreateRuntimeSessionResponse = z.infer<typeof CreateRuntimeSessionResponse>;

export const UpdateRuntimeSessionRequest = z
  .object({
    name: z.string().trim().min(1).max(maxNameLength).optional(),
    metadata: SessionMetadata.nullable().optional().describe("In place of what was there; null: none"),
  })
  .refine((changes) => Object.keys(changes).length > 0, "Name what to change: `name` or `metadata`")
  .meta({ id: "UpdateRuntimeSessionRequest", minProperties: 1 });
export type UpdateRuntimeSessionRequest = z.infer<typeof UpdateRuntimeSessionRequest>;

export const RuntimeMessageRequest = z
  .object({
    content: z.string().describe("Empty only where there are attachments"),
    attachments: z.array(MessageAttachment).max(100).optional(),
    idempotencyKey: z
      .string()
      .min(1)
      .max(maxKeyLength)
      .optional()
      .describe("Sending it again answers with the first turn; the header `Idempotency-Key` does the same"),
  })
  .refine(({ content, attachments }) => content !== "" || (attachments?.length ?? 0) > 0, {
    path: ["content"],
    message: "is empty and there are no attachments; say something",
  })
  .meta({ id: "RuntimeMessageRequest" });
export type RuntimeMessageRequest = z.infer<typeof RuntimeMessageRequest>;

export const RuntimeStateResponse = z
  .object({ sessionId: z.string(), runtime: SessionRuntimeState })
  .meta({ id: "RuntimeStateResponse" });
export type RuntimeStateResponse = z.infer<typeof RuntimeStateResponse>;

export const QuestionAnswerRequest = z
  .object({
    answers: z
      .array(z.array(z.string()))
      .nullable()
      .describe("One array of selected labels per question; null declines to answer"),
  })
  .meta({ id: "QuestionAnswerRequest" });
export type QuestionAnswerRequest = z.infer<typeof QuestionAnswerRequest>;

export const RuntimeFilesResponse = z
  .object({
    files: z.array(
      z.object({
        path: z.string().describe("From the workspace"),
        size: z.int().optional(),
        modified: z.string().optional(),
      }),
    ),
    isWhole: z.boolean().describe("Whether these are all files"),
    checkpoint: z.int().optional().describe("The number of the checkpoint that has them; absent for a sandbox"),
  })
  .meta({ id: "RuntimeFilesResponse" });
export type RuntimeFilesResponse = z.infer<typeof RuntimeFilesResponse>;
