import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import type { EventChunk } from "@sandbox-agent-ts/store";
import type { Context } from "hono";
import { drained } from "./drained.ts";

const heartbeatMs = 15_000;
const retryMs = 1_000;
const headers = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" };

/** A piece of the stream: whole server-sent events, or a part of a long one. */
interface SseChunk {
  readonly frames: string | Buffer;
  readonly part?: { readonly ends: boolean } | undefined;
}

/** What a stream is made of. */
interface Framing<Chunk> {
  readonly type: string;
  readonly begin: string;
  readonly heartbeat: string;
  bytesOf(chunk: Chunk): string | Buffer;
  /** Whether something else may follow the chunk. */
  isWhole(chunk: Chunk): boolean;
}

const sse: Framing<SseChunk> = {
  type: "text/event-stream",
  begin: `retry: ${retryMs}\n\n`,
  heartbeat: ":\n\n",
  bytesOf: ({ frames }) => frames,
  isWhole: ({ part }) => part?.ends !== false,
};

/** As the log has them: what a record is says `EventChunk`. */
const records: Framing<EventChunk> = {
  type: eventRecordsType,
  begin: "\n",
  heartbeat: "\n",
  bytesOf: ({ record }) => record,
  isWhole: () => true,
};

/**
 * Answer with server-sent events, written to the Node response in whole batches. A client that does not read stops its
 * own loop: the chunks it has not taken stay in the log, not in memory.
 */
export function sendEvents(
  c: Context,
  closing: AbortSignal,
  chunks: (signal: AbortSignal) => AsyncIterable<SseChunk>,
): Response {
  return sendStream(c, closing, sse, chunks);
}

/** Answer with the records of a log, likewise. */
export function sendRecords(
  c: Context,
  closing: AbortSignal,
  chunks: (signal: AbortSignal) => AsyncIterable<EventChunk>,
): Response {
  return sendStream(c, closing, records, chunks);
}

function sendStream<Chunk>(
  c: Context,
  closing: AbortSignal,
  framing: Framing<Chunk>,
  chunks: (signal: AbortSignal) => AsyncIterable<Chunk>,
): Response {
  const response = (c.env as { outgoing: ServerResponse }).outgoing;
  response.writeHead(200, { ...headers, "content-type": framing.type });
  if (c.req.method === "HEAD") return end(response);
  response.write(framing.begin);
  const done = new AbortController();
  const stop = () => done.abort();
  response.once("close", stop);
  closing.addEventListener("abort", stop, { once: true });
  pump(response, framing, chunks(done.signal), done.signal)
    .catch(() => response.destroy())
    .finally(() => {
      closing.removeEventListener("abort", stop);
      response.end();
    });
  return RESPONSE_ALREADY_SENT;
}

/** There is nothing to stream, and nobody would ever close it. */
function end(response: ServerResponse): Response {
  response.end();
  return RESPONSE_ALREADY_SENT;
}

async function pump<Chunk>(
  response: ServerResponse,
  { heartbeat: beatText, bytesOf, isWhole }: Framing<Chunk>,
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
): Promise<void> {
  let isBetweenEvents = true;
  const beat = () => isBetweenEvents && !response.writableNeedDrain && response.write(beatText);
  const heartbeat = setInterval(beat, heartbeatMs).unref();
  try {
    for await (const chunk of chunks) {
      if (signal.aborted) return;
      isBetweenEvents = isWhole(chunk);
      if (!response.write(bytesOf(chunk))) await drained(response, signal);
    }
  } finally {
    clearInterval(heartbeat);
  }
}
