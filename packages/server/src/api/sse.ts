import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { drained } from "./drained.ts";

const heartbeatMs = 15_000;
const retryMs = 1_000;
const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** A piece of the stream: whole server-sent events, or a part of a long one. */
interface SseChunk {
  readonly frames: string | Buffer;
  readonly part?: { readonly ends: boolean } | undefined;
}

/**
 * Answer with server-sent events, written to the Node response in whole batches. A client that does not read stops its
 * own loop: the chunks it has not taken stay in the log, not in memory.
 */
export function sendEvents(
  c: Context,
  closing: AbortSignal,
  chunks: (signal: AbortSignal) => AsyncIterable<SseChunk>,
): Response {
  const response = (c.env as { outgoing: ServerResponse }).outgoing;
  response.writeHead(200, headers);
  if (c.req.method === "HEAD") return end(response);
  response.write(`retry: ${retryMs}\n\n`);
  const done = new AbortController();
  const stop = () => done.abort();
  response.once("close", stop);
  closing.addEventListener("abort", stop, { once: true });
  pump(response, chunks(done.signal), done.signal)
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

async function pump(response: ServerResponse, chunks: AsyncIterable<SseChunk>, signal: AbortSignal): Promise<void> {
  let isBetweenEvents = true;
  const beat = () => isBetweenEvents && !response.writableNeedDrain && response.write(":\n\n");
  const heartbeat = setInterval(beat, heartbeatMs).unref();
  try {
    for await (const { frames, part } of chunks) {
      if (signal.aborted) return;
      isBetweenEvents = part?.ends !== false;
      if (!response.write(frames)) await drained(response, signal);
    }
  } finally {
    clearInterval(heartbeat);
  }
}
