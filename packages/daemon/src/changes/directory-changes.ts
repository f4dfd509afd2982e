import { appendFile, rm } from "node:fs/promises";
import { isAbsolute, normalize, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readRegularText } from "@sandbox-agent-ts/agents";
import {
  type DiffBase,
  type DiffQuery,
  SandboxError,
  type SessionDiff,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { isWithdrawal, type TurnEntry, type TurnRecord } from "@sandbox-agent-ts/store";
import type { DirectorySnapshots } from "./directory-snapshots.ts";
import { LoggedChanges } from "./logged-changes.ts";
import { GitFailure } from "./run-git.ts";

/** How long the first prompt of a session waits for the snapshot of what was before. */
const firstSnapshotLimitMs = 2_000;
const maxFiles = 2_000;
const maxPatchBytes = 5 * 1024 * 1024;

/** What is known of the files at the start of a turn. */
interface TurnStart {
  readonly turnId: string;
  readonly time: number;
  readonly tree?: string;
  readonly notes: readonly string[];
}

type AdmittedTurn = Pick<TurnRecord, "turnId" | "admittedAt">;

export interface DirectoryChangesOptions {
  readonly sessionId: string;
  /** Different for every session that there ever was. */
  readonly uid: string;
  readonly directory: string;
  readonly createdAt: number;
  /** Absent where none are taken. */
  readonly snapshots: DirectorySnapshots | undefined;
  readonly turns: () => AsyncIterable<TurnEntry>;
  readonly events: () => AsyncIterable<UniversalEvent>;
}

/** What a diff is, with its text as git wrote it. */
export interface Diff extends SessionDiff {
  readonly patch: Buffer | undefined;
}

/** What changed in a session's directory: a snapshot at the start of each turn, and comparisons of them. */
export class DirectoryChanges {
  readonly #options: DirectoryChangesOptions;
  #starts: Promise<Map<string, Promise<TurnStart>>> | undefined;
  /** The snapshot that is being taken while its turn runs already. */
  #racing: { isLate: boolean } | undefined;
  #isDeleted = false;

  constructor(options: DirectoryChangesOptions) {
    this.#options = options;
  }

  /**
   * A turn begins. Resolves when the agent may be prompted: at once, except in a session's first turn, whose start is
   * what the whole session is compared with.
   */
  async turnStarts(turnId: string): Promise<void> {
    const { snapshots } = this.#options;
    if (!snapshots) return;
    const starts = await this.#known();
    const isFirst = starts.size === 0;
    const racing = { isLate: false };
    this.#racing = racing;
    const start = this.#take(snapshots, turnId, racing);
    starts.set(turnId, start);
    if (!isFirst) return;
    const limit = new AbortController();
    await Promise.race([start, delay(firstSnapshotLimitMs, undefined, { signal: limit.signal }).catch(() => {})]);
    limit.abort();
  }

  /** The agent has begun to do something, so what a snapshot shows from now on may be its work. */
  agentActs(): void {
    if (this.#racing) this.#racing.isLate = true;
  }

  async diff(query: DiffQuery): Promise<Diff> {
    const { snapshots, directory } = this.#options;
    const turns = await this.#admittedTurns();
    for (const turn of [query.turn, query.until]) if (turn !== undefined) this.#requireTurn(turns, turn);
    const path = query.path === undefined ? undefined : pathWithin(directory, query.path);
    const from = query.turn ?? turns[0]?.turnId;
    const starts = await this.#known();
    const start = from === undefined ? undefined : await starts.get(from);
    const base: DiffBase = {
      kind: query.turn === undefined ? "session" : "turn",
      ...(query.turn === undefined ? {} : { turnId: query.turn }),
      time: start?.time ?? turns.find(({ turnId }) => turnId === from)?.admittedAt ?? this.#options.createdAt,
    };
    try {
      if (!snapshots || !start?.tree) throw new GitFailure("failed", start?.notes[0] ?? this.#whyNone(from));
      const end = query.until === undefined ? await snapshots.capture() : await starts.get(query.until);
      if (!end?.tree) throw new GitFailure("failed", end?.notes[0] ?? this.#whyNone(query.until));
      const text = query.format !== "summary";
      const found = await snapshots.compare(start.tree, end.tree, { path, text, maxFiles, maxPatchBytes });
      const notes = [...new Set([...start.notes, ...end.notes, ...found.notes])];
      return {
        base,
        files: found.files,
        ...(found.patch === undefined ? {} : { diff: found.patch.toString("utf8") }),
        truncated: found.truncated,
        source: await snapshots.source(),
        ...(notes.length === 0 ? {} : { notes }),
        patch: found.patch,
      };
    } catch (error) {
      if (!(error instanceof GitFailure) && !(error instanceof DOMException)) throw error;
      return this.#fromLog(query, base, path, error instanceof GitFailure ? error.message : "git took too long.");
    }
  }

  /** The session is gone, and what only it needed goes too. */
  async delete(): Promise<void> {
    this.#isDeleted = true;
    const { snapshots, uid } = this.#options;
    if (!snapshots || (await this.#known()).size === 0) return;
    await rm(snapshots.ownerFile(uid), { force: true });
    void snapshots.release().catch(() => {});
  }

  async #take(snapshots: DirectorySnapshots, turnId: string, racing: { isLate: boolean }): Promise<TurnStart> {
    const { uid } = this.#options;
    const start = await snapshots.capture(uid).then(
      ({ tree, time, notes }): TurnStart => ({
        turnId,
        time,
        tree,
        notes: racing.isLate ? [...notes, lateNote] : notes,
      }),
      (error: unknown): TurnStart => ({ turnId, time: Date.now(), notes: [sentenceOf(error)] }),
    );
    if (this.#racing === racing) this.#racing = undefined;
    if (!this.#isDeleted) await appendFile(snapshots.ownerFile(uid), `${JSON.stringify(start)}\n`).catch(() => {});
    return start;
  }

  #known(): Promise<Map<string, Promise<TurnStart>>> {
    this.#starts ??= this.#read();
    return this.#starts;
  }

  async #read(): Promise<Map<string, Promise<TurnStart>>> {
    const { snapshots, uid } = this.#options;
    const text = snapshots ? await readRegularText(snapshots.ownerFile(uid)).catch(() => "") : "";
    const starts = text.split("\n").flatMap((line) => parseStart(line) ?? []);
    return new Map(starts.map((start) => [start.turnId, Promise.resolve(start)]));
  }

  async #admittedTurns(): Promise<AdmittedTurn[]> {
    const turns = new Map<string, AdmittedTurn>();
    for await (const entry of this.#options.turns()) {
      const { turnId } = entry;
      if (isWithdrawal(entry)) turns.delete(turnId);
      else turns.set(turnId, { turnId, admittedAt: entry.admittedAt });
    }
    return [...turns.values()];
  }

  #requireTurn(turns: readonly AdmittedTurn[], turn: string): void {
    if (turns.some(({ turnId }) => turnId === turn)) return;
    const { sessionId } = this.#options;
    throw new SandboxError("not_found", `There is no turn "${turn}" in session "${sessionId}".`, { sessionId });
  }

  #whyNone(turn: string | undefined): string {
    if (turn === undefined) return "No message was sent yet; changes are recorded from the first message on.";
    if (!this.#options.snapshots) return "This daemon takes no snapshots.";
    return "There is no snapshot of the files at that time: the turn has not begun, or an older daemon ran it.";
  }

  async #fromLog(query: DiffQuery, base: DiffBase, path: string | undefined, why: string): Promise<Diff> {
    const range = { from: query.turn, until: query.until };
    const changes = new LoggedChanges(range, this.#options.directory, maxPatchBytes);
    for await (const event of this.#options.events()) changes.take(event);
    const { files, diff } = changes.result(path);
    const reported = "This is what the agent reported to have written; what its commands did is not in it.";
    return {
      base,
      files: files.slice(0, maxFiles),
      ...(query.format === "summary" ? {} : { diff }),
      truncated: changes.truncated || files.length > maxFiles,
      source: "log",
      notes: base.time === this.#options.createdAt ? [why] : [why, reported],
      patch: Buffer.from(diff),
    };
  }
}

const lateNote =
  "The agent was at work before the snapshot of this turn's start was complete; changes of the first moments may be missing.";

function parseStart(line: string): TurnStart | undefined {
  try {
    return JSON.parse(line) as TurnStart;
  } catch {
    return undefined;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof GitFailure && error.kind === "missing") return "git is not installed where the daemon runs.";
  return error instanceof Error ? error.message : String(error);
}

function pathWithin(directory: string, path: string): string | undefined {
  const inside = isAbsolute(path) ? relative(directory, path) : normalize(path);
  const name = inside.replace(/\/+$/, "");
  if (name === "" || name === ".") return undefined;
  if (name !== ".." && !name.startsWith("../") && !name.includes("\0")) return name;
  throw new SandboxError("invalid_request", `"${path}" is not in the session's directory ${directory}.`, {
    details: { issues: [{ path: "path", message: "must lie in the session's directory" }] },
  });
}
