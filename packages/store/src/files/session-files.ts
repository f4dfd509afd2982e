import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionRecord, StoredSession } from "../event-store.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { folderName } from "./folder-name.ts";
import { Journal } from "./journal.ts";
import { EventLines, isTurnLine, rawLinesThrough } from "./line-checks.ts";
import { mendJournal } from "./mend.ts";
import type { OpenFiles } from "./open-files.ts";
import { readRegular, statRegular } from "./read-regular.ts";
import { syncPath } from "./sync-path.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const recordFile = "session.json";
const memoryFile = "memory.json";
const journals = ["events.jsonl", "raw.jsonl", "turns.jsonl"] as const;

interface SessionFilesState {
  readonly head: number;
  readonly sizes: readonly [number, number, number];
  readonly isDamaged: boolean;
  readonly checkedFrom: number;
}

const asNew: SessionFilesState = { head: 0, sizes: [0, 0, 0], isDamaged: false, checkedFrom: 0 };

/** The folder of one session: its record, its journals, its checkpoint and what its agent remembers. */
export class SessionFiles {
  readonly directory: string;
  readonly events: Journal;
  readonly raw: Journal;
  readonly turns: Journal;
  /** Nothing may be written any more: nobody knows where its journals end or whose they are. */
  readonly isDamaged: boolean;
  /** From here on every event was looked at by this process, or written by it. */
  readonly checkedFrom: number;
  head: number;

  constructor(directory: string, files: OpenFiles, { head, sizes, isDamaged, checkedFrom }: SessionFilesState = asNew) {
    this.directory = directory;
    this.isDamaged = isDamaged;
    this.checkedFrom = checkedFrom;
    this.head = head;
    this.events = new Journal(join(directory, journals[0]), sizes[0], files);
    this.raw = new Journal(join(directory, journals[1]), sizes[1], files);
    this.turns = new Journal(join(directory, journals[2]), sizes[2], files);
  }

  get journals(): readonly Journal[] {
    return [this.events, this.raw, this.turns];
  }

  saveRecord(record: SessionRecord): void {
    writeFileAtomic(join(this.directory, recordFile), JSON.stringify(record), { durable: true });
  }

  saveMemory(memory: unknown): void {
    writeFileAtomic(join(this.directory, memoryFile), JSON.stringify(memory), { durable: false });
  }

  saveCheckpoint(snapshot: unknown): void {
    writeCheckpoint(this.directory, {
      head: this.head,
      eventBytes: this.events.size,
      rawBytes: this.raw.size,
      turnBytes: this.turns.size,
      snapshot,
    });
  }
}

/**
 * Make a session's folder under another name and give it its own when it is whole. Rejects with ENOTEMPTY if that name
 * exists. Resolves when it is durable: file systems that keep what is in a new file keep its name in a new folder with it,
 * and the folder's own name is synced. A power cut before that leaves at worst a folder that `isStillborn`.
 */
export async function createSessionFolder(
  parent: string,
  temporary: string,
  name: string,
  record: SessionRecord,
): Promise<void> {
  const target = join(parent, name);
  let made = join(parent, temporary);
  try {
    mkdirSync(made, { mode: 0o700 });
    writeFileSync(join(made, recordFile), JSON.stringify(record), { mode: 0o600 });
    renameSync(made, target);
    made = target;
    for (const path of [join(target, recordFile), parent]) await syncPath(path);
  } catch (cause) {
    rmSync(made, { recursive: true, force: true });
    throw cause;
  }
}

/** Nothing was ever written into this session's folder, so nobody was ever told that it exists. */
export function isStillborn(directory: string): boolean {
  return [recordFile, ...journals].every((name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return found === undefined || (found.isFile() && found.size === 0);
  });
}

/**
 * Read a session's folder after a start, mending what a crash left. One that is damaged comes back with the reason: it can
 * be read as far as it is whole, and deleted. Throws when it is not a folder.
 */
export async function loadSessionFolder(
  directory: string,
  files: OpenFiles,
): Promise<{ files: SessionFiles; stored: StoredSession }> {
  const folder = statSync(directory);
  if (!folder.isDirectory()) throw new Error(`${directory} is not a directory.`);
  let problem: unknown;
  const unlessDamaged = async <T>(load: () => T | Promise<T>, otherwise: () => T): Promise<T> => {
    try {
      return await load();
    } catch (cause) {
      problem ??= cause;
      return otherwise();
    }
  };
  const record = await unlessDamaged(
    () => readRecord(directory),
    () => unknownRecord(directory, folder.mtimeMs),
  );
  const loaded = await unlessDamaged(
    () => loadJournals(directory),
    () => ({ ...nothing, ...asNew, knownHead: 0, modified: folder.mtimeMs, clean: false }),
  );
  const { head, sizes, snapshot, knownHead, clean, checkedFrom } = loaded;
  const updatedAt = Math.trunc(Math.max(record.createdAt, loaded.modified));
  const stored = { record, head, updatedAt, snapshot, knownHead, memory: readMemory(directory), clean };
  return {
    files: new SessionFiles(directory, files, { head, sizes, isDamaged: problem !== undefined, checkedFrom }),
    stored: problem === undefined ? stored : { ...stored, problem },
  };
}

const nothing = { head: 0, eventBytes: 0, rawBytes: 0, turnBytes: 0, snapshot: null };

async function loadJournals(directory: string) {
  const [events, raw, turns] = journals.map((name) => statRegular(join(directory, name))) as [Found, Found, Found];
  const { checkpoint, claimedHead } = readCheckpoint(directory, {
    events: events.path,
    raw: raw.path,
    turns: turns.path,
  });
  const known = checkpoint ?? nothing;
  const lines = new EventLines(known.head);
  const mended = await mendJournal(events.path, events.size, known.eventBytes, lines.accept);
  const { head } = lines;
  const mendedRaw = await mendJournal(raw.path, raw.size, known.rawBytes, rawLinesThrough(head));
  const mendedTurns = await mendJournal(turns.path, turns.size, known.turnBytes, isTurnLine);
  return {
    head,
    knownHead: Math.max(head, claimedHead),
    checkedFrom: mended.damaged > 0 ? mended.size : known.eventBytes,
    sizes: [mended.size, mendedRaw.size, mendedTurns.size] as const,
    modified: Math.max(events.modified, turns.modified),
    snapshot: known.snapshot as unknown,
    clean: checkpoint !== undefined && mended.lines === 0 && mendedTurns.lines === 0,
  };
}

function readRecord(directory: string): SessionRecord {
  const path = join(directory, recordFile);
  const record = JSON.parse(readRegular(path)) as SessionRecord;
  const belongsHere = folderName(record.sessionId) === basename(directory);
  if (belongsHere && typeof record.uid === "string" && Number.isFinite(record.createdAt)) return record;
  throw new SandboxError("internal_error", `${path} does not describe the session of its folder.`);
}

/** Who a session was whose record is damaged: its folder's name says it, except for odd ids. */
function unknownRecord(directory: string, modified: number): SessionRecord {
  const name = basename(directory);
  const sessionId = folderName(name) === name ? name : `damaged:${name}`;
  return { sessionId, uid: "damaged", createdAt: Math.trunc(modified), config: null };
}

/** One that cannot be read is as good as none. */
function readMemory(directory: string): unknown {
  try {
    return JSON.parse(readRegular(join(directory, memoryFile)));
  } catch {
    return null;
  }
}

type Found = ReturnType<typeof statRegular>;
