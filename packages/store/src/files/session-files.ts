import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionRecord, StoredSession } from "../event-store.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { folderName } from "./folder-name.ts";
import { Journal } from "./journal.ts";
import { isEventLine, isTurnLine, rawLinesThrough } from "./line-checks.ts";
import { mendJournal } from "./mend.ts";
import type { OpenFiles } from "./open-files.ts";
import { syncPath } from "./sync-path.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const recordFile = "session.json";
const memoryFile = "memory.json";
const journals = ["events.jsonl", "raw.jsonl", "turns.jsonl"] as const;

/** The folder of one session: its record, its journals, its checkpoint and what its agent remembers. */
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
 * exists. Resolves when it is durable: the first sync writes nearly everything, which makes the others cheap. A power cut
 * before that leaves at worst a folder that `isStillborn`.
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
    for (const path of [join(target, recordFile), target, parent]) await syncPath(path);
  } catch (cause) {
    rmSync(made, { recursive: true, force: true });
    throw cause;
  }
}

/** Nothing was ever written into this session's folder, so nobody was ever told that it exists. */
export function isStillborn(directory: string): boolean {
  return [recordFile, ...journals].every((name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return found === undefined || found.size === 0;
  });
}

/** Read a session's folder after a start, mending what a crash left. Throws when it is not a session's folder. */
export function loadSessionFolder(directory: string, files: OpenFiles): { files: SessionFiles; stored: StoredSession } {
  const record = readRecord(directory);
  const [events, raw, turns] = journals.map((name) => find(join(directory, name))) as [Found, Found, Found];
  const checkpoint = readCheckpoint(directory, { events: events.path, raw: raw.path, turns: turns.path });
  const known = checkpoint ?? { head: 0, eventBytes: 0, rawBytes: 0, turnBytes: 0, snapshot: null };

  const mended = mendJournal(events.path, events.size, known.eventBytes, (line, index) =>
    isEventLine(line, known.head + index + 1),
  );
  const head = known.head + mended.lines;
  const mendedRaw = mendJournal(raw.path, raw.size, known.rawBytes, rawLinesThrough(head));
  const mendedTurns = mendJournal(turns.path, turns.size, known.turnBytes, isTurnLine);
  return {
    files: new SessionFiles(directory, files, head, [mended.size, mendedRaw.size, mendedTurns.size]),
    stored: {
      record,
      head,
      updatedAt: Math.trunc(Math.max(record.createdAt, events.modified, turns.modified)),
      snapshot: known.snapshot,
      memory: readMemory(directory),
      clean: checkpoint !== undefined && mended.lines === 0 && mendedTurns.lines === 0,
    },
  };
}

function readRecord(directory: string): SessionRecord {
  const path = join(directory, recordFile);
  const record = JSON.parse(readFileSync(path, "utf8")) as SessionRecord;
  const belongsHere = folderName(record.sessionId) === basename(directory);
  if (belongsHere && typeof record.uid === "string" && Number.isFinite(record.createdAt)) return record;
  throw new SandboxError("internal_error", `${path} does not describe the session of its folder.`);
}

/** One that cannot be read is as good as none. */
function readMemory(directory: string): unknown {
  try {
    return JSON.parse(readFileSync(join(directory, memoryFile), "utf8"));
  } catch {
    return null;
  }
}

interface Found {
  path: string;
  size: number;
  modified: number;
}

function find(path: string): Found {
  const found = statSync(path, { throwIfNoEntry: false });
  return { path, size: found?.size ?? 0, modified: found?.mtimeMs ?? 0 };
}
