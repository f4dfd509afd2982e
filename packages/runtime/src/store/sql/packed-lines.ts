import { deflateSync, inflateSync } from "node:zlib";

/** Shorter ones are not worth it. */
const leastBytes = 2 * 1024;
/** The first byte of what zlib makes; lines of JSON begin with a brace. */
const packedStart = 0x78;

/**
 * Lines of a log as a row keeps them. Lines that came together are alike but for a few characters, so that even the fastest
 * compression leaves about a tenth: it costs less than it spares SQLite, which writes every byte twice.
 */
export function packLines(lines: Buffer): Buffer {
  return lines.length < leastBytes ? lines : deflateSync(lines, { level: 1, memLevel: 9 });
}

export function unpackLines(row: Uint8Array): Buffer {
  return row[0] === packedStart ? inflateSync(row) : Buffer.from(row.buffer, row.byteOffset, row.byteLength);
}
