import { type Dialect, sse } from "../dialect.ts";
import { type Json, string } from "../json.ts";
import { openaiError } from "../openai-error.ts";
import { readChat } from "./read-chat.ts";
import { streamChat, wholeChat } from "./speak-chat.ts";

/** The OpenAI Chat Completions API, with `reasoning_content` as many compatible services have it. */
export const chat: Dialect = {
  name: "chat",
  asksForAnswer: (method, path) => method === "POST" && path.endsWith("/chat/completions"),
  sideAnswer: () => undefined,
  read: readChat,
  conversationId,
  stream: streamChat,
  whole: wholeChat,
  errorBody: openaiError,
  streamError: (error) => [sse(openaiError(error, 500))],
};

function conversationId(body: Json, headers: Readonly<Record<string, string>>): string | undefined {
  return string(body.prompt_cache_key) || headers["x-session-affinity"] || headers["x-session-id"] || undefined;
}
