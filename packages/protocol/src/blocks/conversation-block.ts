import type { FileRefPart, ImagePart, JsonPart, StatusPart, TextPart } from "../content-part.ts";
import type {
  PermissionReply,
  PermissionRequestedData,
  QuestionRequestedData,
  RequestResolver,
} from "../event-data.ts";

/** The conversation between the user and the agent; every other id is that of a subagent. */
export const mainConversation = "main";

interface BlockBase {
  /**
   * Unique in the session and the same wherever the block comes from. Made from the agent's own id where there is one, else
   * from its place: the n-th message of the user, the n-th thing of its kind behind it or behind a tool.
   */
  readonly id: string;
  /** `main`, or the subagent's: the id by which the block that started it names it (`subagentId`). */
  readonly conversationId: string;
  /** When it began, RFC 3339, as its event or transcript says; null where nothing does. */
  readonly timestamp: string | null;
}

/** What goes with a block beside its text. */
export type BlockAttachment = FileRefPart | ImagePart | JsonPart | StatusPart | TextPart;

interface ProseBlock extends BlockBase {
  readonly text: string;
  readonly attachments: readonly BlockAttachment[];
}

/** What the user said, with the files that go with it. */
export interface UserMessageBlock extends ProseBlock {
  readonly type: "user_message";
}

/** What the agent says. Markdown. */
export interface AssistantTextBlock extends ProseBlock {
  readonly type: "assistant_text";
}

/** What the model thought. */
export interface ThinkingBlock extends ProseBlock {
  readonly type: "thinking";
}

/** What the agent's program tells: what it is busy with, that it compacted the conversation, a list of things to do. */
export interface SystemBlock extends ProseBlock {
  readonly type: "system";
  readonly label: string | null;
  /** The conversation of the subagent that it tells of. */
  readonly subagentId?: string;
}

/**
 * `pending`: it is being written, waits for a permission, or nobody has said yet that it runs. `running`: it has begun.
 * `success` and `error`: it has ended, never before.
 */
export type ToolUseStatus = "pending" | "running" | "success" | "error";

/** A tool with all that becomes of it: what it is called with, how it is, what it gave. */
export interface ToolUseBlock extends BlockBase {
  readonly type: "tool_use";
  readonly callId: string;
  readonly name: string;
  /** JSON text; a part of it while it is being written. */
  readonly input: string;
  readonly status: ToolUseStatus;
  /** What a running command has printed so far, then the result; null before there is any. */
  readonly output: string | null;
  /** Files that it changed, images, how it ended. */
  readonly attachments: readonly BlockAttachment[];
  /** The conversation of the subagent that it runs. */
  readonly subagentId?: string;
}

/** The agent asks whether it may. */
export interface PermissionBlock extends BlockBase {
  readonly type: "permission";
  readonly permissionId: string;
  readonly status: "pending" | "approved" | "denied";
  readonly request: PermissionRequestedData;
  readonly reply?: PermissionReply;
  readonly resolvedBy?: RequestResolver;
  readonly reason?: string;
}

/** The agent asks a person something, or wants its plan approved. */
export interface QuestionBlock extends BlockBase {
  readonly type: "question";
  readonly questionId: string;
  readonly status: "pending" | "answered" | "rejected";
  readonly request: QuestionRequestedData;
  /** One list of labels per question. */
  readonly answers?: readonly (readonly string[])[];
  readonly resolvedBy?: RequestResolver;
  readonly reason?: string;
}

/** Something went wrong; the turn may have gone on. */
export interface ErrorBlock extends BlockBase {
  readonly type: "error";
  readonly message: string;
  readonly code?: string;
}

/** A piece of a conversation as a chat shows it. */
export type ConversationBlock =
  | UserMessageBlock
  | AssistantTextBlock
  | ThinkingBlock
  | ToolUseBlock
  | SystemBlock
  | PermissionBlock
  | QuestionBlock
  | ErrorBlock;

/** The text that a delta continues: that of a message, or the input or output of a tool. */
export type BlockTextField = "text" | "input" | "output";

/** New values of fields that a block of its type has. */
export interface BlockUpdates {
  readonly text?: string;
  readonly name?: string;
  readonly input?: string;
  readonly output?: string;
  readonly status?: ToolUseStatus;
  readonly attachments?: readonly BlockAttachment[];
  readonly subagentId?: string;
}

/**
 * What happens to a block. It starts once, and completes once at most: then its text is final, and only who was told of it
 * as a subagent, or a second result of the same call, is still an update. Changes of a block come after its start.
 */
export type BlockChange = { readonly conversationId: string; readonly blockId: string } & (
  | {
      readonly type: "start";
      readonly block: ConversationBlock;
      /** The block of the conversation that it stands behind, mostly the last one; null: before all others. */
      readonly after: string | null;
    }
  | { readonly type: "delta"; readonly field: BlockTextField; readonly delta: string }
  | { readonly type: "update"; readonly updates: BlockUpdates }
  | { readonly type: "complete"; readonly block: ConversationBlock }
);
