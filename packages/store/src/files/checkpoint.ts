import { closeSync, constants, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { sequenceOf } from "../event-encoder.ts";
import { readRegular } from "./read-regular.ts";

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

/**
 * Written over the one before: to replace the file by another would make file systems write it out at once, which holds
 * up the whole daemon for milliseconds. The checksum tells when a crash left half of one and half of the other; where
 * there is no space for all of it, there is none.
 */
export function writeCheckpoint(directory: string, checkpoint: Checkpoint): void {
  const path = join(directory, fileName);
  const bytes = Buffer.from(sealed(JSON.stringify(checkpoint)));
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o600);
  try {
    if (writeSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) throw new Error("No space for a checkpoint.");
    ftruncateSync(descriptor, bytes.length);
  } catch (cause) {
    rmSync(path);
    throw cause;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The last checkpoint, if the journals bear it out. One they do not is removed, lest it seem right when they have grown;
 * that it claims events which are not there is worth knowing.
 */
export function readCheckpoint(
  directory: string,
  paths: JournalPaths,
): { checkpoint?: Checkpoint; claimedHead: number } {
  let claimedHead = 0;
  try {
    const checkpoint = JSON.parse(unsealed(readRegular(join(directory, fileName)))) as Checkpoint;
    if (Number.isSafeInteger(checkpoint.head)) claimedHead = checkpoint.head;
    if (isBorneOut(checkpoint, paths)) return { checkpoint, claimedHead };
  } catch {
    // As good as none.
  }
  rmSync(join(directory, fileName), { recursive: true, force: true });
  return { claimedHead };
}

function sealed(text: string): string {
  return `{"crc32":${crc32(text)},"checkpoint":${text}}\n`;
}

/** Empty when the seal is broken. */
function unsealed(file: string): string {
  const [, seal, text = ""] = /^\{"crc32":(\d+),"checkpoint":(.*)\}\n$/s.exec(file) ?? [];
  return crc32(text) === Number(seal) ? text : "";
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
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
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
