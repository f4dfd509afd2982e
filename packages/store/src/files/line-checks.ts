import { isUtf8 } from "node:buffer";
import { sequenceOf } from "../event-encoder.ts";
import { rawSequenceOf } from "../raw-lines.ts";
import type { WalkedLine } from "./walk-lines.ts";

const prefixBytes = 256;

export function isEventLine(line: WalkedLine, sequence: number): boolean {
  return sequenceOf(prefixOf(line)) === sequence && isJson(line);
}

/** A check for the raw journal: upwards, and nothing of events that are not there, whose numbers others will get. */
export function rawLinesThrough(head: number): (line: WalkedLine) => boolean {
  let last = 0;
  return (line) => {
    const sequence = rawSequenceOf(prefixOf(line)) ?? 0;
    if (sequence <= last || sequence > head || !isJson(line)) return false;
    last = sequence;
    return true;
  };
}

export function isTurnLine(line: WalkedLine): boolean {
  if (isCut(line)) return prefixOf(line).startsWith('{"turnId":"');
  return typeof (parse(line.bytes) as { turnId?: unknown } | undefined | null)?.turnId === "string";
}

function prefixOf({ bytes }: WalkedLine): string {
  return bytes.toString("latin1", 0, prefixBytes);
}

function isCut({ bytes, length }: WalkedLine): boolean {
  return bytes.length < length;
}

/** A line that is too long to be parsed is believed. */
function isJson(line: WalkedLine): boolean {
  return isCut(line) || parse(line.bytes) !== undefined;
}

/** The JSON of a line; a power cut can leave garbage between two ends that look right. */
function parse(line: Buffer): unknown {
  try {
    return isUtf8(line) ? JSON.parse(line.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}
