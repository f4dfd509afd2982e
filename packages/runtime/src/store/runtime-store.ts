import type { EventPage, PageRequest, RawPage } from "@sandbox-agent-ts/store";
import type { AccessStore } from "./access-store.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { LogLines } from "./log-lines.ts";
import type { NewProfileVersion } from "./profile-versions.ts";
import type { Quota } from "./quota.ts";

/**
 * Where runtimes keep everything: sessions, their logs, turns, requests, sandboxes and keys. A process owns nothing; what
 * it needs after `kill -9` is here. Drivers are folders beside this file and pass `describeRuntimeStore`; an application
 * may bring its own.
 *
 * Several processes may use one store at a time (where the driver allows it). Whoever writes a session's log holds its
 * lease; each claim raises the session's epoch, and a write with an older epoch changes nothing and rejects with
 * `LeaseLost`. Everything else may be called by anybody at any time.
 *
 * A method that resolves has made its change durable: it survives the death of the process and of the machine, except for
 * `append`, which survives the process at once and the machine within a second. A method that rejects has changed nothing.
 * Values named "opaque" are JSON; they are kept as they are and given back the same.
 */
export interface RuntimeStore extends AccessStore {
  /** The same for every process that opens this store, and for no other store: sandboxes are labelled with it. */
  readonly storeId: string;

  /** The files of sessions. Those of a session are forgotten with it. */
  readonly checkpoints: CheckpointStore;

  /**
   * Keep a new session; answers its lease where one is wished for. Rejects with `session_already_exists`, and with
   * `permission_denied` where its owner would have more than the quota. Here as everywhere, what an owner has is counted in
   * the same transaction and by one at a time, so that all processes together stay below.
   */
  createSession(session: NewSession, quota?: Quota): Promise<Lease | undefined>;

  session(sessionId: string): Promise<StoredSession | undefined>;

  /** A page of sessions, newest first by creation; costs the same whatever the total and the place. */
  sessions(query: StoredSessionQuery): Promise<StoredSessionPage>;

  /** Change the named fields, keep the others. False when there is no such session. */
  updateSession(sessionId: string, changes: SessionFieldChanges): Promise<boolean>;

  /** Forget a session with its log, turns, requests, transcripts and files. Sandbox rows stay, ownerless. Idempotent. */
  deleteSession(sessionId: string): Promise<void>;

  /**
   * The right to write the session's log until `ttlMs` from now; raises its epoch. Undefined when another owner holds a
   * lease that has not run out, or there is no such session. The same owner may claim again, and gets a new epoch.
   */
  claimLease(sessionId: string, owner: string, ttlMs: number): Promise<Lease | undefined>;

  /** Hold all leases of an owner for `ttlMs` more; answers the sessions whose leases it still has. */
  renewLeases(owner: string, ttlMs: number): Promise<readonly string[]>;

  /** Let another owner claim at once; the lease counts as lost from then on. Does nothing when it is lost already. */
  releaseLease(lease: Lease): Promise<void>;

  /**
   * Keep a batch of events with all that changes with it, in one transaction: `head` moves, the sandbox's cursor moves,
   * turns and requests change. That makes mirroring exactly-once. Rejects with `LeaseLost` where the epoch is not the
   * lease's, and with an error where `first` is not `head + 1`, the cursor would not move forward, or its sandbox is
   * unknown. A batch may have no events. Turns and requests that are unknown or settled already are passed over.
   */
  append(lease: Lease, batch: LogBatch): Promise<void>;

  /** Events after a sequence, as `EventStore.read` gives them. */
  read(sessionId: string, after: number, page: PageRequest): Promise<EventPage>;

  /** The agents' own payloads after a sequence, as `EventStore.readRaw` gives them. Both reject with `session_not_found`. */
  readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage>;

  /**
   * Keep a message in the order of the calls. The same `idempotencyKey` or `turnId` gives back the turn that is there
   * (`isNew: false`), whatever its state; whether it is the same message is for the caller to compare (`digest`). Rejects
   * with `session_not_found`, with `too_many_requests` where `maxOpen` turns wait or run already, and where the quota of the
   * session's owner leaves no place for the turn or the sandbox it needs, or (`permission_denied`) for what it would say.
   */
  admitTurn(turn: NewTurn, maxOpen: number, quota?: Quota): Promise<{ turn: StoredTurn; isNew: boolean }>;

  turn(sessionId: string, turnId: string): Promise<StoredTurn | undefined>;

  /** Turns that wait or run, in order of admission. */
  openTurns(sessionId: string): Promise<readonly StoredTurn[]>;

  /** Sessions that have turns which wait or run: what a starting process has to look after. */
  sessionsWithOpenTurns(): Promise<readonly string[]>;

  /**
   * Note before the first attempt that the turn is sent to this generation of the session's sandbox. False when it does
   * not wait or run any more (it was withdrawn, say) and must not be sent. `LeaseLost`.
   */
  markTurnSent(lease: Lease, turnId: string, generation: number): Promise<boolean>;

  /** Take a waiting turn back. Answers the state it had: only `admitted` ones are withdrawn. */
  withdrawTurn(sessionId: string, turnId: string): Promise<TurnState | undefined>;

  /**
   * Keep the answer to an open request; the first one wins. Answers `kept`, `answered` (another was first, or the request
   * is resolved) or undefined (no such request).
   */
  answerRequest(sessionId: string, requestId: string, answer: unknown): Promise<"kept" | "answered" | undefined>;

  /** Requests that no batch has resolved, in order: those without an answer, and those whose answer may not have arrived. */
  openRequests(sessionId: string): Promise<readonly StoredRequest[]>;

  /**
   * Count the session among those that have a sandbox, while one is being made: until `releaseSandbox`, or until the lease
   * is lost or runs out. Rejects with `too_many_requests` where that is too much for its owner, and with `LeaseLost`.
   */
  reserveSandbox(lease: Lease, quota: Quota): Promise<void>;

  /** Does nothing when the lease is lost. */
  releaseSandbox(lease: Lease): Promise<void>;

  /** Keep a sandbox, new or changed. */
  putSandbox(sandbox: StoredSandbox): Promise<void>;

  /** Change the named fields of a sandbox, keep the others. False when there is no such sandbox. */
  updateSandbox(sandboxId: string, changes: Partial<Omit<StoredSandbox, "sandboxId">>): Promise<boolean>;

  sandbox(sandboxId: string): Promise<StoredSandbox | undefined>;

  /** The sandbox of a session that has the highest generation. */
  sandboxOf(sessionId: string): Promise<StoredSandbox | undefined>;

  sandboxes(): Promise<readonly StoredSandbox[]>;

  /**
   * Give one ready sandbox of this template that never had a session (generation 0) to one, atomically; undefined when
   * there is none. What another session has used is never given away. It is `creating` again until the session is in it.
   * With `sandboxId` this one or none.
   */
  claimSandbox(
    template: string,
    sessionId: string,
    generation: number,
    sandboxId?: string,
  ): Promise<StoredSandbox | undefined>;

  deleteSandbox(sandboxId: string): Promise<void>;

  /** Keep an API key: its hash, never itself. */
  putKey(key: StoredKey): Promise<void>;

  keyByHash(hash: string): Promise<StoredKey | undefined>;

  key(keyId: string): Promise<StoredKey | undefined>;

  keys(): Promise<readonly StoredKey[]>;

  /** False when there is no such key. */
  deleteKey(keyId: string): Promise<boolean>;

  /**
   * The agent's own files of a conversation (opaque text); without `subagentId` those of the main one. Rejects with
   * `session_not_found`, as `putFile` does.
   */
  putTranscript(sessionId: string, subagentId: string | null, text: string): Promise<void>;

  transcripts(sessionId: string): Promise<readonly { subagentId: string | null; text: string }[]>;

  putFile(sessionId: string, file: StoredFile): Promise<void>;

  deleteFile(sessionId: string, path: string): Promise<void>;

  files(sessionId: string): Promise<readonly StoredFile[]>;

  putProfile(profile: StoredProfile): Promise<void>;

  profile(profileId: string): Promise<StoredProfile | undefined>;

  profiles(): Promise<readonly StoredProfile[]>;

  deleteProfile(profileId: string): Promise<boolean>;

  /**
   * Keep the next version of a profile as the row `name@version`, and `{version, digest, description?}` as the row `name`,
   * which is answered; changes nothing where that has the same digest. Of any number of writers each gets a version of its
   * own, one more than any that was ever given for the name.
   */
  addProfileVersion(version: NewProfileVersion): Promise<StoredProfile>;

  /** Replace the digest of the newest version, where this is still the newest; false where it is not. */
  renewProfileDigest(name: string, version: number, digest: string): Promise<boolean>;

  /** Forget the row `name` and all its versions but those that sessions have. False when there was no such row. */
  deleteProfileVersions(name: string): Promise<boolean>;

  /** Make everything durable and let go of the storage. Idempotent. */
  close(): Promise<void>;
}

/** The lease was claimed by somebody else: whoever holds it stops writing and drops what it has not written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`The lease of session "${sessionId}" is held by another process.`);
    this.sessionId = sessionId;
  }
}

/**
 * What a new session's epoch begins with: anywhere, so that a lease of a forgotten session is none of another that was
 * made with the same id.
 */
export function firstEpoch(): number {
  return Math.floor(Math.random() * 2 ** 45);
}

export interface Lease {
  readonly sessionId: string;
  readonly owner: string;
  readonly epoch: number;
}

export interface NewSession {
  readonly sessionId: string;
  /** Part of the ids of events that the runtime itself adds. */
  readonly uid: string;
  /** The principal it belongs to. */
  readonly owner: string;
  readonly agent: string;
  readonly profile?: string | undefined;
  readonly title?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: number;
  /** Where it is older than the store has it; absent: as of its creation. */
  readonly lastActivity?: number | undefined;
  /** Opaque: what the session was created with. */
  readonly settings: unknown;
  /** The first events of its log, which begin with 1. */
  readonly log?: LogLines | undefined;
  /** Whoever makes it may hold its lease from the start. */
  readonly lease?: { readonly owner: string; readonly ttlMs: number } | undefined;
}

export interface StoredSession extends Omit<NewSession, "log" | "lease"> {
  /** Epoch milliseconds of the last event or message. */
  readonly lastActivity: number;
  /** The last sequence of its log, 0 for none. */
  readonly head: number;
  readonly epoch: number;
  /** Who holds the lease; undefined when nobody does or it has run out. */
  readonly leaseOwner?: string | undefined;
  /** Opaque: what lists say of it, as of the last batch that brought one. */
  readonly summary: unknown;
  /** Opaque: what spares reading the log from its start. */
  readonly snapshot: unknown;
}

/** A field that is there as undefined is taken away, but for the last activity, which every session has. */
export type SessionFieldChanges = Partial<
  Pick<NewSession, "title" | "metadata" | "profile" | "settings" | "lastActivity">
>;

export interface StoredSessionQuery {
  readonly owner?: string | undefined;
  readonly agent?: string | undefined;
  /** Part of the id or the title, whatever its case. */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Begin behind this session of an earlier page. */
  readonly after?: { readonly createdAt: number; readonly sessionId: string } | undefined;
}

/** A session in a list, without what only its owner needs. */
export type ListedSession = Omit<StoredSession, "snapshot">;

export interface StoredSessionPage {
  readonly sessions: readonly ListedSession[];
  readonly hasMore: boolean;
}

export interface LogBatch extends LogLines {
  /** Epoch milliseconds; `lastActivity` of the session. */
  readonly at: number;
  /** The last sequence of the sandbox's own log that the batch mirrors. */
  readonly cursor?: { readonly sandboxId: string; readonly sequence: number } | undefined;
  /** Opaque; absent: as before. */
  readonly summary?: unknown;
  /** Opaque; absent: as before. */
  readonly snapshot?: unknown;
  readonly endedTurns?: readonly string[] | undefined;
  readonly openedRequests?: readonly OpenedRequest[] | undefined;
  readonly resolvedRequests?: readonly string[] | undefined;
}

export type TurnState = "admitted" | "sent" | "ended" | "withdrawn";

export interface NewTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly idempotencyKey?: string | undefined;
  readonly messageId?: string | undefined;
  /** Of the message and its attachments, to tell a retry from another message. */
  readonly digest: string;
  readonly message: string;
  /** Opaque. */
  readonly attachments: readonly unknown[];
  readonly admittedAt: number;
  /** The head of the log when it was admitted: the turn happens behind it. */
  readonly after: number;
}

export interface StoredTurn extends NewTurn {
  readonly state: TurnState;
  /** The generation of the sandbox it was sent to. */
  readonly generation?: number | undefined;
}

export interface OpenedRequest {
  readonly requestId: string;
  readonly kind: "permission" | "question";
}

export interface StoredRequest extends OpenedRequest {
  /** Opaque; undefined while nobody has answered. */
  readonly answer?: unknown;
}

export interface StoredSandbox {
  readonly sandboxId: string;
  readonly provider: string;
  /** What `SandboxProvider.attach` takes. */
  readonly providerId: string;
  /** What it was made for: sandboxes of one template are interchangeable until they are claimed. */
  readonly template: string;
  /** Undefined while it waits in a pool. */
  readonly sessionId?: string | undefined;
  /** The n-th sandbox of its session; 0 while it waits in a pool. */
  readonly generation: number;
  /** The daemon's token, encrypted; opaque. */
  readonly token: string;
  /** The last sequence mirrored of the session's log in that daemon. */
  readonly cursor: number;
  readonly state: "creating" | "ready" | "ended";
  readonly restartCount: number;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
}

/** Whether it waits, ready-made, for a session. */
export function isWarm({ state, sessionId, generation }: StoredSandbox): boolean {
  return state === "ready" && sessionId === undefined && generation === 0;
}

export interface StoredKey {
  readonly keyId: string;
  readonly name: string;
  readonly principal: string;
  readonly scope: "read" | "write" | "admin";
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly createdAt: number;
  /** Requests beyond it are refused. */
  readonly requestsPerMinute?: number | undefined;
}

export interface StoredFile {
  readonly path: string;
  readonly content: string;
  readonly modifiedAt: number;
}

export interface StoredProfile {
  readonly profileId: string;
  readonly name: string;
  /** Opaque. */
  readonly profile: unknown;
  readonly updatedAt: number;
}
