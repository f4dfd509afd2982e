import type { Readable } from "node:stream";

/** Each part of an engine's log has a header: the stream it belongs to, and how long it is. */
const headerBytes = 8;

/** The last bytes of a container's log. */
export async function logTail(log: Readable, maxBytes: number): Promise<string> {
  let waiting = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of log) {
    waiting = Buffer.concat([waiting, chunk as Buffer]);
    const parts: Buffer[] = [tail];
    while (waiting.length >= headerBytes) {
      const end = headerBytes + waiting.readUInt32BE(4);
      if (waiting.length < end) break;
      parts.push(waiting.subarray(headerBytes, end));
      waiting = waiting.subarray(end);
    }
    const all = Buffer.concat(parts);
    tail = all.subarray(Math.max(0, all.length - maxBytes));
  }
  return tail.toString("utf8");
}
