import type { ModelRequest } from "../conversation/model-request.ts";
import type { ScriptedError } from "../script/model-step.ts";
import type { DialectName } from "../script/request-matcher.ts";
import type { Json } from "./json.ts";
import type { ModelAnswer } from "./model-answer.ts";

/**
 * One model API. A dialect is pure: it reads requests into the common form and spells an answer out in its own events;
 * sockets, pacing, scripts and failures are the server's business. All are asked by path, so their paths never overlap.
 */
export interface Dialect {
  readonly name: DialectName;

  /** Whether this asks the model for an answer. `path` has no query. */
  asksForAnswer(method: string, path: string): boolean;

  /** Answers to everything else the API offers, such as token counts; undefined if the path is not this dialect's. */
  sideAnswer(method: string, path: string, body: Json, models: readonly string[]): Json | undefined;

  /** Must take whatever a real client sends: unknown fields, roles and parts are left out, never an error. */
  read(body: Json, url: URL): ModelRequest;

  /** The conversation's own id, where the client tells one in a way of this API. */
  conversationId(body: Json, headers: Readonly<Record<string, string>>): string | undefined;

  /** Frames in the order of the real API. `body` is the request's: some events depend on its options. */
  stream(answer: ModelAnswer, body: Json): Iterable<Frame>;

  /** The same without streaming. */
  whole(answer: ModelAnswer, body: Json): Json;

  /** The body of an HTTP error, unless the script gives one. */
  errorBody(error: ScriptedError, status: number): Json;

  /** What takes the place of the final frames when an answer fails after it has begun. */
  streamError(error: ScriptedError, answer: ModelAnswer): Iterable<Frame>;
}

/** Bytes of a stream that belong together. */
export interface Frame {
  readonly text: string;
  /** It carries a piece of content: delays, cuts and hangs count these. */
  readonly isChunk: boolean;
  /** It belongs to the end that says the answer is complete. */
  readonly isEnd: boolean;
}

export function sse(data: Json | string, options: { event?: string; as?: "chunk" | "end" } = {}): Frame {
  const line = options.event === undefined ? "" : `event: ${options.event}\n`;
  const payload = typeof data === "string" ? data : JSON.stringify(data);
  return { text: `${line}data: ${payload}\n\n`, isChunk: options.as === "chunk", isEnd: options.as === "end" };
}
