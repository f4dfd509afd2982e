import type { EventBatch } from "@sandbox-agent-ts/store";

/** A batch of events as lines, in texts of whole lines: none has to be very long, which is dear to make and to copy. */
export interface LogLines {
  readonly first: number;
  readonly count: number;
  /** `count` events, each one line of JSON with its newline: exactly the bytes readers get. */
  readonly lines: readonly string[];
  /** The agents' own payloads as lines `{"sequence":N,"raw":…}`. */
  readonly raw: readonly string[];
}

/** How many characters it has, which is about as many bytes. */
export function lengthOf({ lines, raw }: LogLines): number {
  return [...lines, ...raw].reduce((length, text) => length + text.length, 0);
}

export function asBatch({ first, count, lines, raw }: LogLines): EventBatch {
  return { first, count, lines: lines.join(""), raw: raw.join("") };
}
