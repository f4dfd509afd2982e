/**
 * What `codex app-server` says, as far as we read it. Every field may be missing: a new version must not break a turn.
 * Found by running it and from the schema it generates itself.
 */
export interface CodexParams {
  threadId?: string;
  turnId?: string;
  itemId?: string;
  delta?: string;
  item?: CodexItem;
  turn?: CodexTurn;
  summaryIndex?: number;
  tokenUsage?: { total?: CodexTokens; last?: CodexTokens };
  explanation?: string | null;
  plan?: readonly { step?: string; status?: string }[];
  error?: CodexError;
  willRetry?: boolean;
  requestId?: number | string;
  message?: string;
  name?: string;
  status?: unknown;
  toModel?: string;
}

export interface CodexTurn {
  id?: string;
  rootTurnId?: string | null;
  status?: "inProgress" | "completed" | "interrupted" | "failed";
  error?: CodexError | null;
}

export interface CodexError {
  message?: string;
  codexErrorInfo?: CodexErrorInfo | null;
  additionalDetails?: string | null;
}

/** A name, or an object with the name as its only key: `{"httpConnectionFailed":{"httpStatusCode":401}}`. */
export type CodexErrorInfo =
  | string
  | Readonly<Record<string, { httpStatusCode?: number | null; turnKind?: string } | undefined>>;

export interface CodexTokens {
  inputTokens?: number;
  cachedInputTokens?: number;
  cacheWriteInputTokens?: number;
  outputTokens?: number;
  reasoningOutputTokens?: number;
}

/** All kinds of items in one: `type` says which fields to look for. */
export interface CodexItem {
  type?: string;
  id?: string;
  status?: string;
  /** agentMessage, plan */
  text?: string;
  /** reasoning */
  summary?: readonly string[];
  content?: readonly string[];
  /** commandExecution */
  command?: string;
  cwd?: string;
  aggregatedOutput?: string | null;
  exitCode?: number | null;
  durationMs?: number | null;
  /** fileChange */
  changes?: readonly CodexFileChange[];
  /** mcpToolCall, dynamicToolCall, collabAgentToolCall */
  server?: string;
  namespace?: string | null;
  tool?: string;
  arguments?: unknown;
  result?: { content?: readonly CodexContent[]; structuredContent?: unknown } | string | null;
  error?: { message?: string } | null;
  contentItems?: readonly CodexContent[] | null;
  success?: boolean | null;
  prompt?: string | null;
  receiverThreadIds?: readonly string[];
  agentsStates?: unknown;
  /** subAgentActivity */
  kind?: string;
  agentThreadId?: string;
  agentPath?: string;
  /** webSearch */
  query?: string;
  results?: unknown;
  /** imageView, imageGeneration */
  path?: string;
  savedPath?: string | null;
  revisedPrompt?: string | null;
  /** enteredReviewMode, exitedReviewMode */
  review?: string;
  /** requestUserInput, which is an item of ours */
  requestId?: number | string;
  /** functionCallOutput */
  name?: string;
  output?: unknown;
}

export interface CodexFileChange {
  path?: string;
  kind?: { type?: string; move_path?: string | null };
  /** A unified diff without its header for an update, else the whole text of the file. */
  diff?: string;
}

/** What tools answer with: MCP spells it `text` and `image`, dynamic tools `inputText` and `inputImage`. */
export interface CodexContent {
  type?: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

/** Parameters of what the server asks us; which fields there are depends on the method. */
export interface CodexAsk {
  threadId?: string;
  turnId?: string | null;
  itemId?: string;
  reason?: string | null;
  command?: string | null;
  cwd?: string | null;
  grantRoot?: string | null;
  permissions?: unknown;
  questions?: readonly CodexQuestion[];
  /** Of an MCP server: it wants a form filled in, or, with `codex_approval_kind`, Codex asks whether its tool may run. */
  serverName?: string;
  mode?: string;
  message?: string;
  url?: string;
  requestedSchema?: { properties?: Readonly<Record<string, CodexFormField>> };
  _meta?: { codex_approval_kind?: string; tool_params?: unknown; persist?: unknown } | null;
}

interface CodexQuestion {
  id?: string;
  header?: string;
  question?: string;
  options?: readonly { label?: string; description?: string }[] | null;
}

export interface CodexFormField {
  type?: string;
  title?: string;
  description?: string;
  enum?: readonly string[];
}

export interface CodexModel {
  id?: string;
  displayName?: string;
  hidden?: boolean;
  isDefault?: boolean;
  defaultReasoningEffort?: string;
  supportedReasoningEfforts?: readonly { reasoningEffort?: string }[];
}
