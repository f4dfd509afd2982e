import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sequenceOf } from "../event-encoder.ts";
import type { SessionRecord, StoredSession } from "../event-store.ts";
import { rawSequenceOf } from "../raw-lines.ts";
import { Journal } from "./journal.ts";
import { mendJournal } from "./mend.ts";
import type { OpenFiles } from "./open-files.ts";
import { syncDirectory, writeFileAtomic } from "./write-file-atomic.ts";

const recordFile = "session.json";
const checkpointFile = "checkpoint.json";
const journals = ["events.jsonl", "raw.jsonl", "turns.jsonl"] as const;

interface Checkpoint {
  head: number;
  eventBytes: number;
  rawBytes: number;
  turnBytes: number;
  snapshot: unknown;
}

/** The folder of one session: its record, its journals and its checkpoint. */
export class SessionFiles {
  readonly directory: string;
  readonly events: Journal;
  readonly raw: Journal;
  readonly turns: Journal;
  head: number;

  constructor(directory: string, files: OpenFiles, head = 0, sizes: readonly [number, number, number] = [0, 0, 0]) {
    this.directory = directory;
    this.head = head;
    this.events = new Journal(join(directory, journals[0]), sizes[0], files);
    this.raw = new Journal(join(directory, journals[1]), sizes[1], files);
    this.turns = new Journal(join(directory, journals[2]), sizes[2], files);
  }

  get journals(): readonly Journal[] {
    return [this.events, this.raw, this.turns];
  }

  saveCheckpoint(snapshot: unknown): void {
    const checkpoint: Checkpoint = {
      head: this.head,
      eventBytes: this.events.size,
      rawBytes: this.raw.size,
      turnBytes: this.turns.size,
      snapshot,
    };
    writeFileAtomic(join(this.directory, checkpointFile), JSON.stringify(checkpoint), { durable: false });
  }
}

/** Make a session's folder under another name and give it its own when it is whole. Throws ENOTEMPTY if that exists. */
export function createSessionFolder(parent: string, temporary: string, name: string, record: SessionRecord): void {
  const folder = join(parent, temporary);
  mkdirSync(folder);
  try {
    for (const journal of journals) closeSync(openSync(join(folder, journal), "wx", 0o600));
    writeFileAtomic(join(folder, recordFile), JSON.stringify(record), { durable: true });
    renameSync(folder, join(parent, name));
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
  syncDirectory(parent);
}

/** Read a session's folder after a start, mending what a crash left. Throws when it is not a session's folder. */
export function loadSessionFolder(directory: string, files: OpenFiles): { files: SessionFiles; stored: StoredSession } {
  const record = JSON.parse(readFileSync(join(directory, recordFile), "utf8")) as SessionRecord;
  const [events, raw, turns] = journals.map((name) => ensureFile(join(directory, name))) as [Found, Found, Found];
  const checkpoint = readCheckpoint(directory, [events.size, raw.size, turns.size]);
  const known = checkpoint ?? { head: 0, eventBytes: 0, rawBytes: 0, turnBytes: 0, snapshot: null };

  const mended = mendJournal(events.path, events.size, known.eventBytes, (line, index) =>
    isEvent(line, known.head + index + 1),
  );
  const mendedRaw = mendJournal(raw.path, raw.size, known.rawBytes, isRaw);
  const mendedTurns = mendJournal(turns.path, turns.size, known.turnBytes, isJson);
  const head = known.head + mended.lines;
  return {
    files: new SessionFiles(directory, files, head, [mended.size, mendedRaw.size, mendedTurns.size]),
    stored: {
      record,
      head,
      updatedAt: Math.max(record.createdAt, Math.trunc(events.modified)),
      snapshot: known.snapshot,
      clean: checkpoint !== undefined && mended.lines === 0 && mendedTurns.lines === 0,
    },
  };
}

interface Found {
  path: string;
  size: number;
  modified: number;
}

function ensureFile(path: string): Found {
  closeSync(openSync(path, "a", 0o600));
  const { size, mtimeMs } = statSync(path);
  return { path, size, modified: mtimeMs };
}

/** A checkpoint is believed only if it lies within the journals it speaks of. */
function readCheckpoint(directory: string, sizes: readonly [number, number, number]): Checkpoint | undefined {
  try {
    const checkpoint = JSON.parse(readFileSync(join(directory, checkpointFile), "utf8")) as Checkpoint;
    const { eventBytes, rawBytes, turnBytes } = checkpoint;
    return eventBytes <= sizes[0] && rawBytes <= sizes[1] && turnBytes <= sizes[2] ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(line: Buffer, sequence: number): boolean {
  return sequenceOf(line.toString("latin1", 0, 256)) === sequence && line[line.length - 1] === 0x7d;
}

function isRaw(line: Buffer): boolean {
  return rawSequenceOf(line.toString("latin1", 0, 64)) !== undefined && line[line.length - 1] === 0x7d;
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
