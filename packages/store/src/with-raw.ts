import { EventChunk } from "./event-chunk.ts";

/** The same events with the agents' own payloads put in. Both are text of the chunk's encoding. */
export function withRaw(chunk: EventChunk, raw: ReadonlyMap<number, string>): EventChunk {
  if (raw.size === 0) return chunk;
  const lines = chunk.text.split("\n");
  let text = "";
  for (let n = 0; n < chunk.count; n++) {
    const line = lines[n]!;
    const payload = raw.get(chunk.first + n);
    text += payload === undefined ? `${line}\n` : `${line.slice(0, -1)},"raw":${payload}}\n`;
  }
  return new EventChunk(chunk.first, chunk.count, text, chunk.encoding);
}
