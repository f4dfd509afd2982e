import { randomBytes } from "node:crypto";
import type { EventDraft, SessionListEntry, SessionListEvent } from "@sandbox-agent-ts/protocol";

/** A session is published at most this often. */
const coalesceMs = 100;
/** A session whose log only grows is published at most this often. */
const progressMs = 1_000;
/** How many deleted sessions are remembered; who missed more of them has to read the list again. */
const maxDeleted = 1_000;
/** Events that are handed out together. */
const batchSize = 100;

/** Why a session is published; `progress` means that only its log has grown. */
export type SessionChange = "created" | "changed" | "waiting" | "ended" | "progress";

/** Text for the response stream. */
export interface ListFrames {
  readonly frames: string;
}

/** What a session is known for: one entry each, however often it changes. */
interface Entry {
  readonly sessionId: string;
  /** When it was published last, as a count of all publications. */
  revision: number;
  isDeleted: boolean;
  /** The revision at which each change was published last. */
  readonly changedAt: Map<SessionChange, number>;
  summary: { readonly json: string; readonly isWaiting: boolean } | undefined;
  older: Entry | undefined;
  newer: Entry | undefined;
}

/**
 * Tells any number of readers which sessions are created, change, wait, end or are deleted. It keeps one entry per session
 * in order of publication and nothing per reader but a revision: a slow reader gets fewer events, each with the session as
 * it is now, and one that comes back gets what changed since. Revisions hold for one start of the daemon.
 */
export class SessionListFeed {
  readonly #describe: (sessionId: string) => SessionListEntry | undefined;
  readonly #epoch = randomBytes(6).toString("hex");
  readonly #entries = new Map<string, Entry>();
  readonly #deleted = new Set<Entry>();
  readonly #readers = new Set<() => void>();
  readonly #pending = new Map<string, Set<SessionChange>>();
  readonly #progress = new Set<string>();
  #newest: Entry | undefined;
  #revision = 0;
  /** Deletions up to this revision may be forgotten. */
  #forgottenThrough = 0;
  #flushTimer: NodeJS.Timeout | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  #lastFlush = 0;

  /** `describe` gives a session as it is now, undefined when there is none with this id. */
  constructor(describe: (sessionId: string) => SessionListEntry | undefined) {
    this.#describe = describe;
  }

  /** Cheap enough for every batch of events. */
  touch(sessionId: string, change: SessionChange): void {
    if (change === "progress") {
      this.#progress.add(sessionId);
      this.#progressTimer ??= setTimeout(() => this.#flushProgress(), progressMs).unref();
      return;
    }
    const changes = this.#pending.get(sessionId);
    if (changes) changes.add(change);
    else this.#pending.set(sessionId, new Set([change]));
    this.#flushSoon();
  }

  /** The session is no longer listed. */
  remove(sessionId: string): void {
    this.#pending.delete(sessionId);
    const entry = this.#publish(sessionId, []);
    entry.isDeleted = true;
    entry.changedAt.clear();
    this.#deleted.add(entry);
    if (this.#deleted.size > maxDeleted) this.#forget(this.#deleted.values().next().value!);
    this.#wake();
  }

  /** What happens after the event with this id; first `reset` where that cannot be known. */
  async *follow(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<ListFrames, void, void> {
    let { revision, reset } = this.#placeOf(lastEventId);
    if (reset) yield { frames: this.#frame(revision, { type: "reset", reason: reset }) };
    while (!signal.aborted) {
      if (revision < this.#forgottenThrough) {
        revision = this.#revision;
        yield { frames: this.#frame(revision, { type: "reset", reason: "expired" }) };
        continue;
      }
      const changed = this.#entriesAfter(revision).slice(0, batchSize);
      const frames = changed.map((entry) => this.#frameOf(entry, revision)).join("");
      revision = changed.at(-1)?.revision ?? revision;
      if (changed.length === 0) await this.#nextChange(signal);
      else if (frames !== "") yield { frames };
    }
  }

  #placeOf(lastEventId: string | undefined): {
    revision: number;
    reset?: Extract<SessionListEvent, { type: "reset" }>["reason"];
  } {
    const [, epoch, text] = /^([0-9a-f]+)-(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
    const revision = Number(text);
    if (epoch === this.#epoch && revision <= this.#revision) return { revision };
    return { revision: this.#revision, reset: lastEventId === undefined ? "connected" : "restarted" };
  }

  #flushSoon(): void {
    const wait = Math.max(0, this.#lastFlush + coalesceMs - Date.now());
    this.#flushTimer ??= setTimeout(() => this.#flush(), wait).unref();
  }

  #flushProgress(): void {
    this.#progressTimer = undefined;
    for (const sessionId of this.#progress) {
      if (!this.#pending.has(sessionId)) this.#pending.set(sessionId, new Set());
    }
    this.#flushSoon();
  }

  #flush(): void {
    this.#flushTimer = undefined;
    this.#lastFlush = Date.now();
    for (const [sessionId, changes] of this.#pending) {
      // One that is being created, or could not be, is not listed.
      if (this.#describe(sessionId)) this.#publish(sessionId, changes);
    }
    this.#pending.clear();
    this.#wake();
  }

  #publish(sessionId: string, changes: Iterable<SessionChange>): Entry {
    this.#progress.delete(sessionId);
    const known = this.#entries.get(sessionId);
    if (known) this.#unlink(known);
    this.#revision += 1;
    const entry: Entry = known ?? {
      sessionId,
      revision: 0,
      isDeleted: false,
      changedAt: new Map(),
      summary: undefined,
      older: undefined,
      newer: undefined,
    };
    this.#entries.set(sessionId, entry);
    this.#deleted.delete(entry);
    entry.isDeleted = false;
    entry.revision = this.#revision;
    entry.summary = undefined;
    for (const change of changes) entry.changedAt.set(change, this.#revision);
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    this.#newest = entry;
    return entry;
  }

  #unlink(entry: Entry): void {
    if (entry.older) entry.older.newer = entry.newer;
    if (entry.newer) entry.newer.older = entry.older;
    else this.#newest = entry.older;
  }

  #forget(entry: Entry): void {
    this.#unlink(entry);
    this.#deleted.delete(entry);
    this.#entries.delete(entry.sessionId);
    this.#forgottenThrough = entry.revision;
  }

  /** Oldest first. */
  #entriesAfter(revision: number): Entry[] {
    const entries: Entry[] = [];
    for (let entry = this.#newest; entry && entry.revision > revision; entry = entry.older) entries.push(entry);
    return entries.reverse();
  }

  /** The event that tells a reader who has seen everything up to `seen` about this session. */
  #frameOf(entry: Entry, seen: number): string {
    const { sessionId, changedAt } = entry;
    if (entry.isDeleted) return this.#frame(entry.revision, { type: "session.deleted", sessionId });
    entry.summary ??= this.#summaryOf(sessionId);
    if (!entry.summary) return "";
    const { json, isWaiting } = entry.summary;
    const isNew = (change: SessionChange) => (changedAt.get(change) ?? 0) > seen;
    const type =
      (isNew("ended") && "ended") || (isWaiting && isNew("waiting") && "waiting") || (isNew("created") && "created");
    return this.#frame(entry.revision, `{"type":"session.${type || "changed"}","session":${json}}`);
  }

  #summaryOf(sessionId: string): Entry["summary"] {
    const session = this.#describe(sessionId);
    return session && { json: JSON.stringify(session), isWaiting: session.status === "waiting" };
  }

  #frame(revision: number, event: SessionListEvent | string): string {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    return `id: ${this.#epoch}-${revision}\ndata: ${data}\n\n`;
  }

  #wake(): void {
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const wake of readers) wake();
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#readers.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#readers.add(done);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }
}

/** What events mean for the list of sessions. */
export function changeOfEvents(drafts: readonly EventDraft[]): SessionChange {
  let change: SessionChange = drafts.length === 0 ? "changed" : "progress";
  for (const { type } of drafts) {
    if (type === "session.ended") return "ended";
    if (type === "permission.requested" || type === "question.requested") change = "waiting";
    else if (change === "progress" && !type.startsWith("item.")) change = "changed";
  }
  return change;
}
