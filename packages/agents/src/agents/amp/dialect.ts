/**
 * The lines Amp prints with `--stream-json`, as far as we read them. Found by running it; like Claude Code's, but messages
 * come whole, have no ids, and everything else may be absent.
 */
export type AmpLine =
  | { type: "system"; subtype?: string; session_id?: string; agent_mode?: string; mcp_servers?: AmpServer[] }
  | { type: "assistant"; message?: { content?: AmpBlock[]; usage?: AmpUsage } }
  | { type: "user"; message?: { content?: AmpBlock[] | string } }
  | AmpResult;

export interface AmpServer {
  name?: string;
  status?: string;
  error?: string;
}

export type AmpBlock =
  | { type: "text"; text?: string }
  | { type: "thinking"; thinking?: string }
  | { type: "redacted_thinking" }
  | { type: "tool_use"; id: string; name: string; input?: unknown }
  | AmpToolResult;

/** `content` is JSON as text, of whatever the tool gave; a refusal is told as plain text. */
export interface AmpToolResult {
  type: "tool_result";
  tool_use_id: string;
  content?: string;
  is_error?: boolean;
}

/** Of the cached tokens `input_tokens` counts none. */
export interface AmpUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
}

/** The last line of a process; its exit code is 0 either way. */
export interface AmpResult {
  type: "result";
  subtype?: string;
  is_error?: boolean;
  result?: string;
  error?: string;
}
