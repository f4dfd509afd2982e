import { anthropic } from "./anthropic/anthropic.ts";
import { chat } from "./chat/chat.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini/gemini.ts";
import { responses } from "./responses/responses.ts";

/** All that one server speaks at once. */
export const dialects: readonly Dialect[] = [anthropic, responses, chat, gemini];
