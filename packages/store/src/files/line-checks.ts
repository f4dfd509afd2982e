import { isUtf8 } from "node:buffer";
import { sequenceOf } from "../event-encoder.ts";
import { rawSequenceOf } from "../raw-lines.ts";

const prefixBytes = 256;

export function isEventLine(line: Buffer, sequence: number): boolean {
  return sequenceOf(line.toString("latin1", 0, prefixBytes)) === sequence && parse(line) !== undefined;
}

/** A check for the raw journal: upwards, and nothing of events that are not there, whose numbers others will get. */
export function rawLinesThrough(head: number): (line: Buffer) => boolean {
  let last = 0;
  return (line) => {
    const sequence = rawSequenceOf(line.toString("latin1", 0, prefixBytes)) ?? 0;
    if (sequence <= last || sequence > head || parse(line) === undefined) return false;
    last = sequence;
    return true;
  };
}

export function isTurnLine(line: Buffer): boolean {
  return typeof (parse(line) as { turnId?: unknown } | undefined | null)?.turnId === "string";
}

/** The JSON of a line; a power cut can leave garbage between two ends that look right. */
function parse(line: Buffer): unknown {
  try {
    return isUtf8(line) ? JSON.parse(line.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}
