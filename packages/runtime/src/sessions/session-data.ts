import type { ConversationBlock, SessionRuntimeState } from "@sandbox-agent-ts/protocol";
import type { PersistedSessionListData, WorkspaceFile } from "../persistence/persistence-adapter.ts";

/** A session in a list: what is kept of it, and where it runs now. No status: that is derived. */
export interface SessionListItem extends PersistedSessionListData {
  runtime: SessionRuntimeState;
}

/** A whole session for those who show it. */
export interface RuntimeSessionData extends SessionListItem {
  /** The conversation with the user. Of a very long one the end. */
  blocks: ConversationBlock[];
  workspaceFiles: WorkspaceFile[];
  /** What subagents did; `id` is the `conversationId` of their blocks. */
  subagents: { id: string; blocks: ConversationBlock[] }[];
  /** How many blocks were left out at the beginning, if any were. */
  omittedBlocks?: number;
}
