import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { sequenceOf } from "../event-encoder.ts";
import type {
  EventBatch,
  EventPage,
  EventStore,
  PageRequest,
  RawPage,
  SessionRecord,
  StoredSession,
  TurnEntry,
  TurnRecord,
  TurnWithdrawal,
} from "../event-store.ts";
import { rawSequenceOf } from "../raw-lines.ts";
import { beginsEvent, damagedPage, soundLines } from "./damaged-lines.ts";
import { descriptorLimit } from "./descriptor-limit.ts";
import { folderName } from "./folder-name.ts";
import { ensureFormat } from "./format.ts";
import { locate } from "./locate.ts";
import { OpenFiles } from "./open-files.ts";
import { readPage } from "./read-page.ts";
import { createSessionFolder, isStillborn, loadSessionFolder, SessionFiles } from "./session-files.ts";
import { storeFailure } from "./store-failure.ts";
import { walkLines } from "./walk-lines.ts";

const maxOpenFiles = 256;
const loadedPerBreath = 50;
/** Names a session's folder has before it is whole and when it is on its way out. */
const unborn = ".new-";
const dead = ".deleted-";

/**
 * Keeps each session in a folder of plain files: `session.json`, `events.jsonl` (exactly the bytes readers get),
 * `raw.jsonl`, `turns.jsonl`. The directory must belong to this process alone; its owner sees to that.
 */
export class FilesStore implements EventStore {
  readonly #sessionsDir: string;
  readonly #files = new OpenFiles(Math.min(maxOpenFiles, Math.floor(descriptorLimit() / 4)));
  readonly #sessions = new Map<string, SessionFiles>();
  readonly #onUnreadable: (folder: string, cause: unknown) => void;
  #closing: Promise<void> | undefined;

  constructor(directory: string, onUnreadable: (folder: string, cause: unknown) => void = () => {}) {
    ensureFormat(directory);
    this.#sessionsDir = join(directory, "sessions");
    this.#onUnreadable = onUnreadable;
  }

  async sessions(): Promise<StoredSession[]> {
    const found: StoredSession[] = [];
    for (const [index, name] of readdirSync(this.#sessionsDir).entries()) {
      if (index % loadedPerBreath === 0) await breathe();
      const folder = join(this.#sessionsDir, name);
      try {
        if (isLeftover(name, folder)) rmSync(folder, { recursive: true, force: true });
        else if (!name.startsWith(".")) found.push(await this.#load(folder));
      } catch (cause) {
        this.#onUnreadable(folder, cause);
      }
    }
    return found;
  }

  async create(record: SessionRecord): Promise<void> {
    const { sessionId } = record;
    const name = folderName(sessionId);
    this.#refuseIfClosed();
    try {
      await createSessionFolder(this.#sessionsDir, uniqueName(unborn), name, record);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code;
      if (code !== "ENOTEMPTY" && code !== "EEXIST") throw storeFailure(this.#sessionsDir, cause);
      throw new SandboxError("session_already_exists", `Session "${sessionId}" exists already.`, { sessionId });
    }
    this.#sessions.set(sessionId, new SessionFiles(join(this.#sessionsDir, name), this.#files));
  }

  async update(record: SessionRecord): Promise<void> {
    const session = this.#getWritable(record.sessionId);
    try {
      session.saveRecord(record);
    } catch (cause) {
      throw storeFailure(session.directory, cause);
    }
  }

  async delete(sessionId: string): Promise<void> {
    this.#refuseIfClosed();
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    const grave = join(this.#sessionsDir, uniqueName(dead));
    try {
      renameSync(session.directory, grave);
      this.#sessions.delete(sessionId);
      for (const journal of session.journals) journal.close();
      await rm(grave, { recursive: true, force: true });
    } catch (cause) {
      throw storeFailure(session.directory, cause);
    }
  }

  head(sessionId: string): number {
    return this.#get(sessionId).head;
  }

  append(sessionId: string, batch: EventBatch): void {
    const session = this.#getWritable(sessionId);
    if (batch.first !== session.head + 1) {
      throw new SandboxError("internal_error", `Event ${batch.first} does not follow event ${session.head}.`);
    }
    const size = session.events.size;
    session.events.append(batch.lines);
    try {
      if (batch.raw !== "") session.raw.append(batch.raw);
    } catch (cause) {
      session.events.rewind(size);
      throw cause;
    }
    session.head += batch.count;
  }

  async read(sessionId: string, after: number, page: PageRequest): Promise<EventPage> {
    const { events, head, checkedFrom } = this.#get(sessionId);
    const first = after + 1;
    if (after >= head) return { first, count: 0, lines: Buffer.alloc(0) };
    const position = page.position ?? (after === 0 ? 0 : await locate(events, after, sequenceOf));
    const found = await readPage(events, position, page);
    if (found.count === 0) {
      const isWhole = found.lines.length === 0 || page.isInside || beginsEvent(found, first);
      return isWhole ? { first, ...found } : this.#readDamaged(sessionId, position, after, page);
    }
    if (page.isInside) return { first, ...found };
    const sound = soundLines(found, after, position < checkedFrom);
    if (sound.count === found.count) return { first, ...found };
    if (sound.count === 0) return this.#readDamaged(sessionId, position, after, page);
    return { first, count: sound.count, lines: found.lines.subarray(0, sound.end), next: position + sound.end };
  }

  async readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage> {
    const { raw } = this.#get(sessionId);
    const found = await readPage(raw, page.position ?? (await locate(raw, after, rawSequenceOf)), page);
    return { ...found, isEnd: found.next === raw.size };
  }

  async appendTurn(sessionId: string, turn: TurnRecord): Promise<void> {
    this.#getWritable(sessionId).turns.append(`${JSON.stringify(turn)}\n`);
  }

  async withdrawTurn(sessionId: string, { turnId, withdrawnAt }: TurnWithdrawal): Promise<void> {
    this.#getWritable(sessionId).turns.append(`${JSON.stringify({ turnId, withdrawnAt })}\n`);
  }

  async syncTurns(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session) await Promise.all([session.turns.sync(), session.events.sync()]);
  }

  async *turns(sessionId: string): AsyncGenerator<TurnEntry, void, void> {
    const { turns } = this.#get(sessionId);
    for await (const lines of walkLines((position, length) => turns.read(position, length), [0, turns.size])) {
      for (const { bytes } of lines) yield JSON.parse(bytes.toString("utf8")) as TurnEntry;
    }
  }

  checkpoint(sessionId: string, snapshot: unknown): void {
    try {
      this.#getWritable(sessionId).saveCheckpoint(snapshot);
    } catch {
      // Only a shortcut for the next start, which reads the log instead.
    }
  }

  remember(sessionId: string, memory: unknown): void {
    const session = this.#getWritable(sessionId);
    try {
      session.saveMemory(memory);
    } catch (cause) {
      throw storeFailure(session.directory, cause);
    }
  }

  async sync(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    await Promise.all([session.events.sync(), session.raw.sync()]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #load(folder: string): Promise<StoredSession> {
    const { files, stored } = await loadSessionFolder(folder, this.#files);
    this.#sessions.set(stored.record.sessionId, files);
    if (stored.problem !== undefined) this.#onUnreadable(folder, stored.problem);
    return stored;
  }

  async #close(): Promise<void> {
    const journals = [...this.#sessions.values()].flatMap((session) => session.journals);
    try {
      await Promise.all(journals.map((journal) => journal.sync()));
    } finally {
      for (const journal of journals) journal.close();
    }
  }

  #refuseIfClosed(): void {
    if (this.#closing) throw new SandboxError("internal_error", `The store in ${this.#sessionsDir} is closed.`);
  }

  async #readDamaged(sessionId: string, position: number, after: number, page: PageRequest): Promise<EventPage> {
    const { events, head } = this.#get(sessionId);
    const notices = await damagedPage({ sessionId, events, head }, position, after, page);
    if (notices.count > 0 || notices.next === undefined) return notices;
    return this.read(sessionId, after, { ...page, position: notices.next });
  }

  #getWritable(sessionId: string): SessionFiles {
    const session = this.#get(sessionId);
    if (!session.isDamaged) return session;
    const sentence = `The files of session "${sessionId}" in ${session.directory} are damaged; nothing can be added.`;
    throw new SandboxError("internal_error", sentence, { sessionId });
  }

  #get(sessionId: string): SessionFiles {
    this.#refuseIfClosed();
    const session = this.#sessions.get(sessionId);
    if (!session) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
    return session;
  }
}

const uniqueName = (prefix: string): string => `${prefix}${randomBytes(6).toString("hex")}`;

/** What a create or a delete left that did not come to its end. */
function isLeftover(name: string, folder: string): boolean {
  if (name.startsWith(unborn) || name.startsWith(dead)) return true;
  if (name.startsWith(".") || !statSync(folder).isDirectory()) return false;
  try {
    return isStillborn(folder);
  } catch {
    return false;
  }
}
