import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { createGzip, type Gzip, gzip } from "node:zlib";
import type { Context } from "hono";
import { acceptsEncoding } from "./ui/accepts-encoding.ts";

/** Below this, a compressed body saves no packet. */
const minBytes = 1024;
const level = 1;
const outputChunkBytes = 64 * 1024;
const compress = promisify(gzip);

/** Answer 200 with this body, compressed if the client gains from it. */
export async function sendCompressible(
  c: Context,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (!negotiateGzip(c, bytes)) return c.body(body, 200, headers);
  return c.body(new Uint8Array(await compress(body, { level })), 200, { ...headers, "content-encoding": "gzip" });
}

export function sendJson(c: Context, value: object): Promise<Response> {
  return sendCompressible(c, JSON.stringify(value), { "content-type": "application/json" });
}

/** Whether to compress a body of at least this size. Adds `vary` when the answer depends on what the client accepts. */
export function negotiateGzip(c: Context, bytes: number): boolean {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  if (bytes < minBytes || !incoming || !outgoing || !isRemote(incoming)) return false;
  outgoing.appendHeader("vary", "Accept-Encoding");
  return incoming.method !== "HEAD" && acceptsEncoding(incoming.headers["accept-encoding"], "gzip");
}

/** What is written to it reaches the response compressed, with backpressure. Destroyed when the response closes early. */
export function gzipInto(response: ServerResponse): Gzip {
  const compressed = createGzip({ level, chunkSize: outputChunkBytes });
  pipeline(compressed, response, () => {});
  return compressed;
}

/** On loopback compression only costs CPU, unless a proxy on this machine forwards for a remote client. */
function isRemote({ headers, socket }: IncomingMessage): boolean {
  if (headers.forwarded ?? headers["x-forwarded-for"] ?? headers.via) return true;
  return !/^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
}
