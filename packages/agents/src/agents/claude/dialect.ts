/**
 * The lines Claude Code prints and takes (`stream-json`), as far as we read them. Found by running it: the published types
 * miss some lines and require fields that do not always come, so everything here may be absent.
 */
export type ClaudeLine =
  | StreamEventLine
  | AssistantLine
  | UserLine
  | SystemLine
  | ResultLine
  | ControlRequestLine
  | ControlResponseLine
  | { type: "control_cancel_request"; request_id: string }
  | { type: "command_lifecycle"; command_uuid: string; state: "queued" | "started" | "completed" | "cancelled" };

interface StreamEventLine {
  type: "stream_event";
  event: StreamEvent;
  parent_tool_use_id?: string | null;
}

/** An event of the Anthropic Messages API as it came. */
export type StreamEvent =
  | { type: "message_start"; message: { id: string; model?: string } }
  | { type: "content_block_start"; index: number; content_block: ContentBlock }
  | { type: "content_block_delta"; index: number; delta: BlockDelta }
  | { type: "content_block_stop"; index: number }
  | { type: "message_delta" | "message_stop" | "ping" | "error" };

export interface BlockDelta {
  type: string;
  text?: string;
  thinking?: string;
  partial_json?: string;
}

export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use" | "server_tool_use" | "mcp_tool_use"; id: string; name: string; input: unknown }
  | ToolResultBlock
  | { type: "image"; source?: { type: string; media_type?: string; data?: string } }
  | { type: "redacted_thinking" };

export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: string | ContentBlock[] | null;
  is_error?: boolean;
}

/** One block of a message of the model; the blocks of one message share its id. */
export interface AssistantLine {
  type: "assistant";
  uuid?: string;
  message: { id?: string; model?: string; content: ContentBlock[] };
  parent_tool_use_id?: string | null;
  /** Cut off by an interrupt. */
  aborted?: boolean;
  /** Why the model service refused, in a message that Claude Code made up itself. */
  error?: string;
  is_api_error_message?: boolean;
  api_error_status?: number | null;
}

export interface UserLine {
  type: "user";
  uuid?: string;
  message: { content: string | ContentBlock[] };
  parent_tool_use_id?: string | null;
  isReplay?: boolean;
  tool_use_result?: unknown;
}

export interface SystemLine {
  type: "system";
  subtype: string;
  session_id?: string;
  state?: string;
  status?: string | null;
  permissionMode?: string;
  mcp_servers?: { name?: string; status?: string; error?: string }[];
  model?: string;
  error?: string;
  error_status?: number | null;
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  compact_metadata?: { trigger?: string; pre_tokens?: number; post_tokens?: number };
  tasks?: { task_id: string; task_type?: string; description?: string }[];
  task_id?: string;
  summary?: string;
  message?: string;
  content?: string;
  original_model?: string;
  fallback_model?: string;
}

export interface ModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  thinkingTokens?: number;
  costUSD?: number;
}

export interface ResultLine {
  type: "result";
  subtype: string;
  is_error?: boolean;
  result?: string;
  errors?: string[];
  terminal_reason?: string;
  api_error_status?: number | null;
  /** Per model, subagents included; unlike `usage`, `modelUsage` and `total_cost_usd` never of earlier turns. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
}

export interface ControlRequestLine {
  type: "control_request";
  request_id: string;
  request: { subtype: string } & Partial<ToolAsk>;
}

/** `can_use_tool`: may this tool be used so? */
export interface ToolAsk {
  tool_name: string;
  input: Record<string, unknown>;
  tool_use_id: string;
  description: string;
  permission_suggestions: PermissionUpdate[];
  decision_reason: string;
  blocked_path: string;
  agent_id: string;
}

interface PermissionUpdate {
  type: string;
  rules?: PermissionRule[];
  behavior?: string;
  destination?: string;
  mode?: string;
}

export interface PermissionRule {
  toolName: string;
  ruleContent?: string;
}

export interface ControlResponseLine {
  type: "control_response";
  response: { subtype: "success" | "error"; request_id: string; response?: unknown; error?: string };
}

export interface NativeModel {
  value: string;
  displayName?: string;
  supportedEffortLevels?: string[];
}
