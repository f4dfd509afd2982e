import { setImmediate } from "node:timers/promises";
import type { EventPage, PageRequest, RawPage } from "@sandbox-agent-ts/store";
import type { AuditStoreQuery, NewAuditEntry, StoredAuditEntry, StoredUsage } from "../access-store.ts";
import type { BlobStore, CheckpointStore } from "../checkpoint-store.ts";
import type { NewProfileVersion } from "../profile-versions.ts";
import type { Quota } from "../quota.ts";
import type {
  Lease,
  LogBatch,
  NewSession,
  NewTurn,
  RuntimeStore,
  SessionFieldChanges,
  StoredFile,
  StoredKey,
  StoredProfile,
  StoredRequest,
  StoredSandbox,
  StoredSession,
  StoredSessionPage,
  StoredSessionQuery,
  StoredTurn,
  TurnState,
} from "../runtime-store.ts";
import * as audit from "./audit.ts";
import * as keys from "./keys.ts";
import * as log from "./log.ts";
import * as profiles from "./profiles.ts";
import * as records from "./records.ts";
import * as requests from "./requests.ts";
import * as sandboxes from "./sandboxes.ts";
import * as sessions from "./sessions.ts";
import { SqlCheckpointStore } from "./sql-checkpoint-store.ts";
import type { SqlDatabase, Steps } from "./steps.ts";
import * as turns from "./turns.ts";
import { readUsage } from "./usage.ts";

/** A `RuntimeStore` in a database that has been migrated. */
export class SqlRuntimeStore implements RuntimeStore {
  readonly storeId: string;
  readonly checkpoints: CheckpointStore;
  readonly #database: SqlDatabase;
  #sweep: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(database: SqlDatabase, storeId: string, blobs?: BlobStore) {
    this.#database = database;
    this.checkpoints = new SqlCheckpointStore(database, blobs);
    this.storeId = storeId;
    this.#startSweep();
  }

  createSession(session: NewSession, quota?: Quota): Promise<Lease | undefined> {
    return this.#write(sessions.createSession(session, quota));
  }

  session(sessionId: string): Promise<StoredSession | undefined> {
    return this.#database.read(sessions.readSession(sessionId));
  }

  sessions(wanted: StoredSessionQuery): Promise<StoredSessionPage> {
    return this.#database.read(sessions.listSessions(wanted));
  }

  updateSession(sessionId: string, changes: SessionFieldChanges): Promise<boolean> {
    return this.#write(sessions.updateSession(sessionId, changes));
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#write(sessions.deleteSession(sessionId));
    this.#startSweep();
  }

  claimLease(sessionId: string, owner: string, ttlMs: number): Promise<Lease | undefined> {
    return this.#write(sessions.claimLease(sessionId, owner, ttlMs));
  }

  renewLeases(owner: string, ttlMs: number): Promise<readonly string[]> {
    return this.#write(sessions.renewLeases(owner, ttlMs));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.#write(sessions.releaseLease(lease));
  }

  append(lease: Lease, batch: LogBatch): Promise<void> {
    return this.#database.write(log.append(lease, batch), "soon");
  }

  read(sessionId: string, after: number, page: PageRequest): Promise<EventPage> {
    return this.#database.read(inSession(sessionId, (session) => log.readEvents(session, after, page)));
  }

  readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage> {
    return this.#database.read(inSession(sessionId, (session) => log.readPayloads(session, after, page)));
  }

  admitTurn(turn: NewTurn, maxOpen: number, quota?: Quota): Promise<{ turn: StoredTurn; isNew: boolean }> {
    return this.#write(turns.admitTurn(turn, maxOpen, quota));
  }

  turn(sessionId: string, turnId: string): Promise<StoredTurn | undefined> {
    return this.#database.read(turns.readTurn(sessionId, turnId));
  }

  openTurns(sessionId: string): Promise<readonly StoredTurn[]> {
    return this.#database.read(turns.listOpenTurns(sessionId));
  }

  sessionsWithOpenTurns(): Promise<readonly string[]> {
    return this.#database.read(turns.listSessionsWithOpenTurns());
  }

  markTurnSent(lease: Lease, turnId: string, generation: number): Promise<boolean> {
    return this.#write(turns.markTurnSent(lease, turnId, generation));
  }

  withdrawTurn(sessionId: string, turnId: string): Promise<TurnState | undefined> {
    return this.#write(turns.withdrawTurn(sessionId, turnId));
  }

  answerRequest(sessionId: string, requestId: string, answer: unknown): Promise<"kept" | "answered" | undefined> {
    return this.#write(requests.answerRequest(sessionId, requestId, answer));
  }

  openRequests(sessionId: string): Promise<readonly StoredRequest[]> {
    return this.#database.read(requests.listOpenRequests(sessionId));
  }

  reserveSandbox(lease: Lease, quota: Quota): Promise<void> {
    return this.#write(sandboxes.reserveSandbox(lease, quota));
  }

  releaseSandbox(lease: Lease): Promise<void> {
    return this.#write(sandboxes.releaseSandbox(lease));
  }

  putSandbox(sandbox: StoredSandbox): Promise<void> {
    return this.#write(sandboxes.putSandbox(sandbox));
  }

  updateSandbox(sandboxId: string, changes: Partial<Omit<StoredSandbox, "sandboxId">>): Promise<boolean> {
    return this.#write(sandboxes.updateSandbox(sandboxId, changes));
  }

  sandbox(sandboxId: string): Promise<StoredSandbox | undefined> {
    return this.#database.read(sandboxes.readSandbox(sandboxId));
  }

  sandboxOf(sessionId: string): Promise<StoredSandbox | undefined> {
    return this.#database.read(sandboxes.latestSandbox(sessionId));
  }

  sandboxes(): Promise<readonly StoredSandbox[]> {
    return this.#database.read(sandboxes.listSandboxes());
  }

  claimSandbox(
    template: string,
    sessionId: string,
    generation: number,
    sandboxId?: string,
  ): Promise<StoredSandbox | undefined> {
    return this.#write(sandboxes.claimSandbox(template, sessionId, generation, sandboxId));
  }

  deleteSandbox(sandboxId: string): Promise<void> {
    return this.#write(sandboxes.deleteSandbox(sandboxId));
  }

  putKey(key: StoredKey): Promise<void> {
    return this.#write(keys.putKey(key));
  }

  keyByHash(hash: string): Promise<StoredKey | undefined> {
    return this.#database.read(keys.keyByHash(hash));
  }

  key(keyId: string): Promise<StoredKey | undefined> {
    return this.#database.read(keys.readKey(keyId));
  }

  keys(): Promise<readonly StoredKey[]> {
    return this.#database.read(keys.listKeys());
  }

  deleteKey(keyId: string): Promise<boolean> {
    return this.#write(keys.deleteKey(keyId));
  }

  putTranscript(sessionId: string, subagentId: string | null, text: string): Promise<void> {
    return this.#write(records.putTranscript(sessionId, subagentId, text));
  }

  transcripts(sessionId: string): Promise<readonly { subagentId: string | null; text: string }[]> {
    return this.#database.read(records.listTranscripts(sessionId));
  }

  putFile(sessionId: string, file: StoredFile): Promise<void> {
    return this.#write(records.putFile(sessionId, file));
  }

  deleteFile(sessionId: string, path: string): Promise<void> {
    return this.#write(records.deleteFile(sessionId, path));
  }

  files(sessionId: string): Promise<readonly StoredFile[]> {
    return this.#database.read(records.listFiles(sessionId));
  }

  putProfile(profile: StoredProfile): Promise<void> {
    return this.#write(profiles.putProfile(profile));
  }

  profile(profileId: string): Promise<StoredProfile | undefined> {
    return this.#database.read(profiles.readProfile(profileId));
  }

  profiles(): Promise<readonly StoredProfile[]> {
    return this.#database.read(profiles.listProfiles());
  }

  deleteProfile(profileId: string): Promise<boolean> {
    return this.#write(profiles.deleteProfile(profileId));
  }

  addProfileVersion(version: NewProfileVersion): Promise<StoredProfile> {
    return this.#write(profiles.addProfileVersion(version));
  }

  renewProfileDigest(name: string, version: number, digest: string): Promise<boolean> {
    return this.#write(profiles.renewProfileDigest(name, version, digest));
  }

  deleteProfileVersions(name: string): Promise<boolean> {
    return this.#write(profiles.deleteProfileVersions(name));
  }

  usage(owner: string): Promise<StoredUsage> {
    return this.#database.read(readUsage(owner));
  }

  appendAudit(entries: readonly NewAuditEntry[]): Promise<void> {
    return this.#database.write(audit.appendAudit(entries), "soon");
  }

  audit(wanted: AuditStoreQuery): Promise<readonly StoredAuditEntry[]> {
    return this.#database.read(audit.listAudit(wanted));
  }

  async pruneAudit(before: number): Promise<number> {
    let all = 0;
    for (let gone = -1; gone !== 0; all += gone) gone = await this.#database.write(audit.pruneAudit(before), "soon");
    return all;
  }

  close(): Promise<void> {
    this.#closing ??= this.#database.close();
    return this.#closing;
  }

  #write<T>(steps: Steps<T>): Promise<T> {
    return this.#database.write(steps, "durable");
  }

  /** Remove what forgotten sessions left behind, a piece at a time so that nobody waits for it. */
  #startSweep(): void {
    this.#sweep ??= this.#sweepAll()
      // What cannot be removed now is tried again after the next deletion and the next start.
      .catch(() => {})
      .finally(() => {
        this.#sweep = undefined;
      });
  }

  async #sweepAll(): Promise<void> {
    do await setImmediate();
    while (this.#closing === undefined && (await this.#database.write(sessions.sweepLeftovers(), "soon")));
  }
}

function* inSession<T>(sessionId: string, work: (session: number) => Steps<T>): Steps<T> {
  return yield* work(yield* sessions.sessionNumber(sessionId));
}
