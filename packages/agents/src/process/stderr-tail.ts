import { StringDecoder } from "node:string_decoder";
import type { StderrExcerpt } from "@sandbox-agent-ts/protocol";

const HEAD_BYTES = 4 * 1024;
const TAIL_BYTES = 16 * 1024;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

export interface StderrTail {
  push(chunk: Buffer): void;
  excerpt(): StderrExcerpt;
}

/** Keeps the beginning and the end of what a program says on stderr; the middle of a long story is forgotten. */
export function createStderrTail(): StderrTail {
  let head: Buffer = NOTHING;
  let tail: Buffer = NOTHING;
  let totalBytes = 0;
  let newlines = 0;
  let endsWithNewline = true;

  return {
    push(chunk) {
      if (chunk.length === 0) return;
      totalBytes += chunk.length;
      newlines += countNewlines(chunk);
      endsWithNewline = chunk[chunk.length - 1] === NEWLINE;
      const room = HEAD_BYTES - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = chunk.subarray(room);
      if (rest.length > 0) tail = Buffer.concat([tail, rest.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    },
    excerpt() {
      const total_lines = endsWithNewline ? newlines : newlines + 1;
      if (totalBytes === 0) return { truncated: false, total_lines };
      if (totalBytes === head.length + tail.length) {
        return { head: Buffer.concat([head, tail]).toString("utf8"), truncated: false, total_lines };
      }
      return { head: untornEnd(head), tail: untornStart(tail), truncated: true, total_lines };
    },
  };
}

function countNewlines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Without the half character that the cut may have left at the end. */
function untornEnd(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes);
}

/** Without the half character that the cut may have left at the start: at most three continuation bytes. */
function untornStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1;
  return bytes.toString("utf8", start);
}
