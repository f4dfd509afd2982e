import type { ScriptedError } from "../../script/model-step.ts";
import type { Dialect } from "../dialect.ts";
import { estimateTokens } from "../estimate-tokens.ts";
import { type Json, object, parsedOrText, string } from "../json.ts";
import { readAnthropic } from "./read-anthropic.ts";
import { event, streamAnthropic, wholeAnthropic } from "./speak-anthropic.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The Anthropic Messages API. */
export const anthropic: Dialect = {
  name: "anthropic",
  asksForAnswer: (method, path) => method === "POST" && path.endsWith("/messages"),
  sideAnswer: (method, path, body) =>
    method === "POST" && path.endsWith("/messages/count_tokens") ? { input_tokens: estimateTokens(body) } : undefined,
  read: readAnthropic,
  conversationId,
  stream: streamAnthropic,
  whole: wholeAnthropic,
  errorBody,
  streamError: (error) => [event({ type: "error", ...errorBody(error, 500) })],
};

/** Claude Code names its session, and the subagent if it is one, in headers and in `metadata.user_id`. */
function conversationId(body: Json, headers: Readonly<Record<string, string>>): string | undefined {
  const session = headers["x-claude-code-session-id"];
  if (session !== undefined) return `${session}/${headers["x-claude-code-agent-id"] ?? ""}`;
  const userId = string(object(body.metadata).user_id);
  return string(object(parsedOrText(userId)).session_id) || /_session_(.+)$/.exec(userId)?.[1];
}

function errorBody(error: ScriptedError, status: number): Json {
  const type = error.type ?? errorTypes[status] ?? "api_error";
  return { type: "error", error: { type, message: error.message ?? `Scripted ${type}` }, request_id: "req_scripted" };
}
