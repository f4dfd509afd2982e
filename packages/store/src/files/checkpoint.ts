import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sequenceOf } from "../event-encoder.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const fileName = "checkpoint.json";
const newline = 10;
const probeBytes = 4 * 1024;
const prefixBytes = 256;

/** How long the journals of a session were when `snapshot` was the whole truth about it. */
export interface Checkpoint {
  readonly head: number;
  readonly eventBytes: number;
  readonly rawBytes: number;
  readonly turnBytes: number;
  readonly snapshot: unknown;
}

export interface JournalPaths {
  readonly events: string;
  readonly raw: string;
  readonly turns: string;
}

export function writeCheckpoint(directory: string, checkpoint: Checkpoint): void {
  writeFileAtomic(join(directory, fileName), JSON.stringify(checkpoint), { durable: false });
}

/** The last checkpoint, if the journals bear it out. One they do not is removed, lest it seem right when they have grown. */
export function readCheckpoint(directory: string, paths: JournalPaths): Checkpoint | undefined {
  try {
    const checkpoint = JSON.parse(readFileSync(join(directory, fileName), "utf8")) as Checkpoint;
    if (isBorneOut(checkpoint, paths)) return checkpoint;
  } catch {
    // As good as none.
  }
  rmSync(join(directory, fileName), { force: true });
  return undefined;
}

/** Neither checkpoints nor journals are synced in step, so after a power cut either may be older than the other. */
function isBorneOut({ head, eventBytes, rawBytes, turnBytes }: Checkpoint, paths: JournalPaths): boolean {
  if (![head, eventBytes, rawBytes, turnBytes].every((number) => Number.isSafeInteger(number) && number >= 0))
    return false;
  const lastSequence = eventBytes === 0 ? 0 : sequenceOf(lineEndingAt(paths.events, eventBytes) ?? "");
  return lastSequence === head && isLineStart(paths.raw, rawBytes) && isLineStart(paths.turns, turnBytes);
}

function isLineStart(path: string, position: number): boolean {
  return position === 0 || lineEndingAt(path, position) !== undefined;
}

/** The first bytes of the line whose newline is right before `end`; undefined when there is none. */
function lineEndingAt(path: string, end: number): string | undefined {
  const descriptor = openSync(path, "r");
  try {
    for (let length = probeBytes; ; length *= 4) {
      const from = Math.max(0, end - length);
      const bytes = Buffer.alloc(end - from);
      const found = readSync(descriptor, bytes, 0, bytes.length, from);
      if (found < bytes.length || bytes.at(-1) !== newline) return undefined;
      const start = bytes.lastIndexOf(newline, -2) + 1;
      if (start > 0 || from === 0) return bytes.toString("latin1", start, start + prefixBytes);
    }
  } finally {
    closeSync(descriptor);
  }
}
