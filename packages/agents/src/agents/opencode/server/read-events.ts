import { createLineSplitter } from "../../../process/line-splitter.ts";
import type { EventProperties, OpencodeEvent } from "../dialect.ts";

const MAX_EVENT_BYTES = 64 * 1024 * 1024;
const DATA = "data:";
/** Everything is told twice, the second time for those who keep a copy of the server's database. */
const COPY = '"payload":{"type":"sync"';
const HEAD_LENGTH = 1024;

/** Cuts the server's stream into events, those of one read together; resolves when the stream is over. */
export async function readEvents(
  bytes: AsyncIterable<Uint8Array>,
  onEvents: (events: readonly OpencodeEvent[]) => void,
  onLeftOut: (about: object) => void,
): Promise<void> {
  const splitter = createLineSplitter(MAX_EVENT_BYTES, {
    onLines: (lines) => onEvents(lines.flatMap((line) => readEvent(line, onLeftOut))),
    onOversizedLine: onLeftOut,
  });
  for await (const piece of bytes) splitter.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
}

function readEvent(line: string, onLeftOut: (about: object) => void): OpencodeEvent[] {
  if (!line.startsWith(DATA) || line.slice(0, HEAD_LENGTH).includes(COPY)) return [];
  const raw = line.slice(DATA.length).trim();
  try {
    const { payload } = JSON.parse(raw) as { payload?: { type?: string; properties?: EventProperties } };
    return payload?.type === undefined ? [] : [{ type: payload.type, properties: payload.properties ?? {}, raw }];
  } catch {
    onLeftOut({ head: raw.slice(0, HEAD_LENGTH) });
    return [];
  }
}
