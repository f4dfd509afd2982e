import type { Dialect } from "../dialect.ts";
import { type Json, string } from "../json.ts";
import { openaiError } from "../openai-error.ts";
import { readResponses } from "./read-responses.ts";
import { failResponses, streamResponses, wholeResponses } from "./speak-responses.ts";

/** The OpenAI Responses API. */
export const responses: Dialect = {
  name: "responses",
  asksForAnswer: (method, path) => method === "POST" && path.endsWith("/responses"),
  sideAnswer: () => undefined,
  read: readResponses,
  conversationId,
  stream: streamResponses,
  whole: wholeResponses,
  errorBody: openaiError,
  streamError: failResponses,
};

/** Codex names its thread in a header; other clients have at best a cache key. */
function conversationId(body: Json, headers: Readonly<Record<string, string>>): string | undefined {
  return headers["thread-id"] || string(body.prompt_cache_key) || headers["session-id"] || undefined;
}
