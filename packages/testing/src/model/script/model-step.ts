import { z } from "zod";
import { Expression, Pattern, Patterns } from "./pattern.ts";

const milliseconds = z.number().nonnegative();
const tokens = z.int().nonnegative();
const Chunked = z.union([z.string(), z.array(z.string())]);

/** Where a stream stops: after this many chunks, or `true`: after all chunks of the step but before its end. */
const AfterChunks = z.union([z.literal(true), z.int().nonnegative()]);

export const ScriptedToolCall = z.strictObject({
  name: z.string().min(1),
  /** An object for a usual tool; a string for a freeform one (Codex: `apply_patch`, `exec`). */
  input: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
  id: z.string().min(1).optional(),
  /** Only in the Responses dialect. */
  namespace: z.string().optional(),
});
export type ScriptedToolCall = z.infer<typeof ScriptedToolCall>;

export const ScriptedError = z.strictObject({
  /** The HTTP status. Without it the answer begins as usual and the error arrives inside of the stream. */
  status: z.int().min(400).max(599).optional(),
  /** The API's own name of the error, e.g. `overloaded_error`; by default the one that belongs to the status. */
  type: z.string().optional(),
  message: z.string().optional(),
  /** The whole body, instead of the one made from type and message. */
  body: z.unknown().optional(),
  retryAfterSeconds: z.number().nonnegative().optional(),
});
export type ScriptedError = z.infer<typeof ScriptedError>;

/** `input` counts all input, those read from and written to the cache included. */
export const ScriptedUsage = z.strictObject({
  input: tokens.optional(),
  output: tokens.optional(),
  cached: tokens.optional(),
  cacheWrite: tokens.optional(),
  reasoning: tokens.optional(),
});
export type ScriptedUsage = z.infer<typeof ScriptedUsage>;

/** What must hold of the request that asks for a step. "New" is all that came after the model's last answer. */
export const Expectation = z.strictObject({
  /** In the new messages. */
  text: Patterns.optional(),
  /** In the new tool results. */
  toolResult: Patterns.optional(),
  /** At least so many images in the new messages and tool results. */
  images: z.int().positive().optional(),
  /** Anywhere in the conversation. */
  history: Patterns.optional(),
  system: Patterns.optional(),
  model: Pattern.optional(),
  /** Names of tools that are offered to the model. */
  tools: z.array(z.string().min(1)).optional(),
});
export type Expectation = z.infer<typeof Expectation>;

const stopReasons = ["end_turn", "tool_use", "max_tokens", "refusal"] as const;
export type StopReason = (typeof stopReasons)[number];

/** One answer of the model. Its reasoning comes first, then its text, then its tool calls (several are parallel). */
export const ModelStep = z.strictObject({
  reasoning: Chunked.optional(),
  text: Chunked.optional(),
  toolCalls: z.array(ScriptedToolCall).min(1).optional(),
  /** By default `tool_use` where there are tool calls, else `end_turn`. */
  stopReason: z.enum(stopReasons).optional(),
  usage: ScriptedUsage.optional(),
  /** Before the first byte and between chunks; or each of its own. */
  delayMs: z
    .union([milliseconds, z.strictObject({ first: milliseconds.optional(), between: milliseconds.optional() })])
    .optional(),
  /** How many characters a chunk of a text, reasoning or tool input has, where the chunks are not given. */
  chunkSize: z.int().positive().optional(),
  error: ScriptedError.optional(),
  /** Break the connection; 0 does so before the first byte. */
  cut: AfterChunks.optional(),
  /** Send nothing more and keep the connection; 0 sends not even a first byte. */
  hang: AfterChunks.optional(),
  expect: Expectation.optional(),
  /** Names for parts of the request (first group of the expression, newest match), used as `{{name}}` in this step. */
  capture: z.record(z.string().regex(/^\w+$/), Expression).optional(),
  /** So many times the same; a step that fails is otherwise over after one request. */
  repeat: z.union([z.int().positive(), z.literal("forever")]).optional(),
});
export type ModelStep = z.input<typeof ModelStep>;
export type ParsedStep = z.infer<typeof ModelStep>;

/** A step that leaves the request without its answer, so that the agent asks again or gives up. */
export function isFailure(step: ParsedStep): boolean {
  return step.error !== undefined || step.cut !== undefined || step.hang !== undefined;
}
