import type { AssistantLine, ContentBlock, SystemLine, UserLine } from "./dialect.ts";

/** A line of a transcript, as far as we read it; most lines are of other types and tell nothing. */
export interface TranscriptEntry {
  type: string;
  subtype?: string;
  uuid?: string;
  timestamp?: string;
  message?: { id?: string; model?: string; content: string | ContentBlock[] };
  toolUseResult?: unknown;
  isMeta?: boolean;
  isSidechain?: boolean;
  isCompactSummary?: boolean;
  isVisibleInTranscriptOnly?: boolean;
  isApiErrorMessage?: boolean;
  isAbortedMidStream?: boolean;
  error?: string;
  /** Present where Claude Code itself spoke in the user's place. */
  origin?: { kind?: string };
  /** In what a subagent did: which one it is. */
  agentId?: string;
  /** In the file about a subagent: the call that started it. */
  toolUseId?: string;
  compactMetadata?: { trigger?: string; preTokens?: number };
}

export function toAssistantLine(entry: TranscriptEntry, parent: string | undefined): AssistantLine {
  const { id, model, content = [] } = entry.message ?? {};
  const blocks: ContentBlock[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    type: "assistant",
    message: { content: blocks, ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) },
    parent_tool_use_id: parent ?? null,
    ...(entry.uuid === undefined ? {} : { uuid: entry.uuid }),
    ...(entry.isApiErrorMessage ? { is_api_error_message: true } : {}),
    ...(entry.isAbortedMidStream ? { aborted: true } : {}),
  };
}

export function toUserLine(entry: TranscriptEntry, parent: string | undefined): UserLine {
  return {
    type: "user",
    message: { content: entry.message?.content ?? [] },
    parent_tool_use_id: parent ?? null,
    tool_use_result: entry.toolUseResult,
  };
}

export function toSystemLine({ compactMetadata }: TranscriptEntry): SystemLine {
  const { trigger, preTokens } = compactMetadata ?? {};
  const metadata = {
    ...(trigger === undefined ? {} : { trigger }),
    ...(preTokens === undefined ? {} : { pre_tokens: preTokens }),
  };
  return { type: "system", subtype: "compact_boundary", compact_metadata: metadata };
}
