import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Json, object } from "../dialects/json.ts";

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The JSON object of a request, unpacked if need be; an empty one where there is no body. */
export async function readBody(request: IncomingMessage): Promise<Json> {
  const decoder = decoders[request.headers["content-encoding"] ?? ""];
  const stream = decoder ? request.pipe(decoder()) : request;
  const bytes = await buffer(stream as Readable);
  return bytes.length === 0 ? {} : object(JSON.parse(bytes.toString("utf8")));
}
