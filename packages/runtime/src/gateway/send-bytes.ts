import { Readable } from "node:stream";

/** An answer whose body is read as the client takes it. */
export function sendBytes(bytes: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>): Response {
  const stream = Readable.toWeb(Readable.from(bytes, { objectMode: true, highWaterMark: 2 }));
  return new Response(stream as ReadableStream<Uint8Array>, { headers });
}
