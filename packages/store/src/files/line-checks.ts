import { isUtf8 } from "node:buffer";
import { sequenceOf } from "../event-encoder.ts";
import { rawSequenceOf } from "../raw-lines.ts";
import type { WalkedLine } from "./walk-lines.ts";

const prefixBytes = 256;

/** No event is shorter as a line. */
const minEventBytes = 100;

/** A check for the events after `head`: one after the other, where damaged lines may stand for those that are missing. */
export class EventLines {
  head: number;

  constructor(head: number) {
    this.head = head;
  }

  readonly accept = (line: WalkedLine, damagedBytes: number): boolean => {
    const sequence = sequenceOf(prefixOf(line)) ?? 0;
    const missing = sequence - this.head - 1;
    if (missing < 0 || missing * minEventBytes > damagedBytes || !isJson(line)) return false;
    this.head = sequence;
    return true;
  };
}

/** A check for the raw journal: upwards, and nothing of events that are not there, whose numbers others will get. */
export function rawLinesThrough(head: number): (line: WalkedLine, damagedBytes: number) => boolean {
  let last = 0;
  return (line, damagedBytes) => {
    const sequence = rawSequenceOf(prefixOf(line)) ?? 0;
    if (damagedBytes > 0 || sequence <= last || sequence > head || !isJson(line)) return false;
    last = sequence;
    return true;
  };
}

export function isTurnLine(line: WalkedLine, damagedBytes: number): boolean {
  if (damagedBytes > 0) return false;
  if (isCut(line)) return prefixOf(line).startsWith('{"turnId":"');
  return typeof (parseLine(line.bytes) as { turnId?: unknown } | undefined | null)?.turnId === "string";
}

function prefixOf({ bytes }: WalkedLine): string {
  return bytes.toString("latin1", 0, prefixBytes);
}

function isCut({ bytes, length }: WalkedLine): boolean {
  return bytes.length < length;
}

/** A line that is too long to be parsed is believed. */
function isJson(line: WalkedLine): boolean {
  return isCut(line) || parseLine(line.bytes) !== undefined;
}

/** The JSON of a line; a power cut can leave garbage between two ends that look right. */
export function parseLine(line: Buffer): unknown {
  try {
    return isUtf8(line) ? JSON.parse(line.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}
