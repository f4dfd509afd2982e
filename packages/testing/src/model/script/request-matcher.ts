import { z } from "zod";
import { Pattern } from "./pattern.ts";

const dialectNames = ["anthropic", "responses", "chat", "gemini", "amp"] as const;
export type DialectName = (typeof dialectNames)[number];

/** Which requests are meant; everything that is named must hold. */
export const RequestMatcher = z.strictObject({
  /** The user's words. In a conversation: its steps count from the newest message that has them. */
  prompt: Pattern.optional(),
  system: Pattern.optional(),
  model: Pattern.optional(),
  /** A tool that is offered. */
  tool: z.string().min(1).optional(),
  /** Whether any tool is offered at all. */
  hasTools: z.boolean().optional(),
  maxTokens: z.int().positive().optional(),
  dialect: z.enum(dialectNames).optional(),
});
export type RequestMatcher = z.infer<typeof RequestMatcher>;
