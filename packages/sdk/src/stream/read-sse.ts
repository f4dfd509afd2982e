import { createParser } from "eventsource-parser";
import { CorruptStream } from "./event-cursor.ts";
import { readStream, type StreamConnection, type StreamParser } from "./read-stream.ts";
import { Utf8Text } from "./utf8-text.ts";

/**
 * Longest frame that is taken; beyond it the server is not one of ours: an item has at most 8 Mi characters of text, each at
 * most six in JSON, and an agent's own line, which may come with it, at most 64 MiB.
 */
export const MAX_FRAME_CHARS = 120 * 1024 * 1024;

export interface SseFrame {
  readonly id: string | undefined;
  readonly data: string;
}

/** The server-sent events of one connection. Longer frames than `maxFrameChars` are refused. */
export function readSse(
  connection: StreamConnection & { readonly maxFrameChars?: number | undefined },
): AsyncGenerator<readonly SseFrame[], void> {
  return readStream(connection, (type) => sseParser(type, connection.maxFrameChars));
}

export function sseParser(type: string, maxFrameChars = MAX_FRAME_CHARS): StreamParser<SseFrame> | undefined {
  if (!type.startsWith("text/event-stream")) return undefined;
  const text = new Utf8Text();
  let batch: SseFrame[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ id, data }) => batch.push({ id, data }),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: maxFrameChars,
  });
  return {
    feed(bytes) {
      parser.feed(text.decode(bytes));
      if (isTooLong) throw new CorruptStream(`A frame of the event stream has more than ${maxFrameChars} characters.`);
      const arrived = batch;
      batch = [];
      return arrived;
    },
  };
}
