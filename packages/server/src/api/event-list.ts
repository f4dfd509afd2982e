import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { EventChunk } from "@sandbox-agent-ts/store";
import type { Context } from "hono";
import { gzipInto, negotiateGzip } from "./compression.ts";
import { drained } from "./drained.ts";

const newline = 10;
const comma = 44;

/** Answer `{events, hasMore}` page by page, straight from the log's own bytes; never whole in memory. */
export async function sendEventList(
  c: Context,
  chunks: AsyncIterable<EventChunk>,
  hasMore: boolean,
): Promise<Response> {
  const response = (c.env as { outgoing: ServerResponse }).outgoing;
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const compressed = negotiateGzip(c, first.value?.text.length ?? 0);
  response.writeHead(200, {
    "content-type": "application/json",
    ...(compressed ? { "content-encoding": "gzip" } : {}),
  });
  const body = compressed ? gzipInto(response) : response;
  write(body, first, iterator, hasMore).catch(() => response.destroy());
  return RESPONSE_ALREADY_SENT;
}

async function write(
  body: Writable,
  first: IteratorResult<EventChunk, void>,
  rest: AsyncIterator<EventChunk, void>,
  hasMore: boolean,
): Promise<void> {
  const gone = new AbortController();
  body.once("close", () => gone.abort());
  body.write('{"events":[');
  let separator = "";
  for (let next = first; !next.done; next = await rest.next()) {
    if (body.destroyed) return;
    const { part, bytes } = next.value;
    if (part?.begins !== false) body.write(separator);
    separator = ",";
    if (!body.write(part?.ends === false ? bytes : asArrayElements(bytes))) await drained(body, gone.signal);
  }
  body.end(`],"hasMore":${hasMore}}`);
}

/** Lines become elements: a newline cannot stand inside of one. */
function asArrayElements(lines: Buffer): Buffer {
  for (let at = lines.indexOf(newline); at !== -1; at = lines.indexOf(newline, at + 1)) lines[at] = comma;
  return lines.subarray(0, -1);
}
