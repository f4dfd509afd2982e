import { type Dialect, sse } from "../dialect.ts";
import { string } from "../json.ts";
import { openaiError } from "../openai-error.ts";
import { readChat } from "./read-chat.ts";
import { streamChat, wholeChat } from "./speak-chat.ts";

/** The OpenAI Chat Completions API, with `reasoning_content` as many compatible services have it. */
export const chat: Dialect = {
  name: "chat",
  asksForAnswer: (method, path) => method === "POST" && path.endsWith("/chat/completions"),
  sideAnswer: () => undefined,
  read: readChat,
  conversationId: ({ prompt_cache_key }) => string(prompt_cache_key) || undefined,
  stream: streamChat,
  whole: wholeChat,
  errorBody: openaiError,
  streamError: (error) => [sse(openaiError(error, 500))],
};
