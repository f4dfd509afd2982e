import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dialect, Frame } from "../dialects/dialect.ts";
import type { Json } from "../dialects/json.ts";
import type { ModelAnswer } from "../dialects/model-answer.ts";
import { delaysOf } from "../script/delays-of.ts";
import type { ParsedStep, ScriptedError } from "../script/model-step.ts";

export interface AnswerContext {
  readonly dialect: Dialect;
  readonly step: ParsedStep;
  readonly answer: ModelAnswer;
  readonly body: Json;
  readonly stream: boolean;
  /** Ends every wait: the client left, or the server closes. */
  readonly signal: AbortSignal;
}

/** Answer as the step says; resolves when nothing more will be sent. */
export async function writeAnswer(response: ServerResponse, context: AnswerContext): Promise<void> {
  const { step, dialect, signal } = context;
  const { first } = delaysOf(step);
  if (first > 0) await sleep(first, undefined, { signal });
  if (step.error?.status !== undefined) return writeError(response, dialect, step.error, step.error.status);
  if (step.cut === 0) return void response.destroy();
  if (step.hang === 0 || (step.hang === true && context.answer.parts.length === 0)) return;
  if (context.stream) return writeStream(response, context);
  if (step.error !== undefined) return writeError(response, dialect, step.error, 500);
  return writeWhole(response, context);
}

function writeError(response: ServerResponse, dialect: Dialect, error: ScriptedError, status: number): void {
  const body = error.body ?? dialect.errorBody(error, status);
  const retry = error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) };
  response.writeHead(status, { "content-type": "application/json", ...retry });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Without a stream there are no chunks: a cut breaks inside of the body, a hang comes before it. */
function writeWhole(response: ServerResponse, { dialect, step, answer, body }: AnswerContext): void {
  if (step.hang !== undefined) return;
  const text = JSON.stringify(dialect.whole(answer, body));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  if (step.cut === undefined) return void response.end(text);
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

async function writeStream(response: ServerResponse, context: AnswerContext): Promise<void> {
  const { step, signal } = context;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const { between } = delaysOf(step);
  let chunks = 0;
  for (const frame of framesOf(context)) {
    if (frame.isChunk && chunks++ > 0 && between > 0) await sleep(between, undefined, { signal });
    if (!response.write(frame.text)) await once(response, "drain", { signal });
    if (chunks > 0 && (chunks === step.cut || chunks === step.hang)) break;
  }
  if (step.cut !== undefined) await breakOff(response);
  else if (step.hang === undefined) response.end();
}

/** What was written must leave the machine before the connection breaks. */
async function breakOff(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => response.write("\n", resolve));
  response.destroy();
}

function* framesOf(context: AnswerContext): Iterable<Frame> {
  const { cut, hang } = context.step;
  const frames = answerFrames(context);
  if ((cut ?? hang) === undefined) return yield* frames;
  yield* untilLastChunk(frames);
}

/** A stream that breaks off never closes what it has opened. */
function* untilLastChunk(frames: Iterable<Frame>): Iterable<Frame> {
  let held: Frame[] = [];
  let hasChunk = false;
  for (const frame of frames) {
    hasChunk ||= frame.isChunk;
    held.push(frame);
    if (hasChunk && !frame.isChunk) continue;
    yield* held;
    held = [];
  }
}

function* answerFrames({ dialect, step, answer, body }: AnswerContext): Iterable<Frame> {
  for (const frame of dialect.stream(answer, body)) {
    if (frame.isEnd && step.error !== undefined) return yield* dialect.streamError(step.error, answer);
    yield frame;
  }
}
