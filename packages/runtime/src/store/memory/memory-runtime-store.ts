import { randomUUID } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type EventPage, MemoryStore, type PageRequest, type RawPage } from "@sandbox-agent-ts/store";
import type { AuditStoreQuery, NewAuditEntry, StoredAuditEntry, StoredUsage } from "../access-store.ts";
import { asBatch, lengthOf } from "../log-lines.ts";
import type { NewProfileVersion } from "../profile-versions.ts";
import { type Quota, refuseSandbox, refuseSession, refuseTurn } from "../quota.ts";
import {
  firstEpoch,
  isWarm,
  type Lease,
  LeaseLost,
  type LogBatch,
  type NewSession,
  type NewTurn,
  type RuntimeStore,
  type SessionFieldChanges,
  type StoredFile,
  type StoredKey,
  type StoredProfile,
  type StoredRequest,
  type StoredSandbox,
  type StoredSession,
  type StoredSessionPage,
  type StoredSessionQuery,
  type StoredTurn,
  type TurnState,
} from "../runtime-store.ts";
import { MemoryAudit } from "./memory-audit.ts";
import { MemoryCheckpointStore } from "./memory-checkpoint-store.ts";
import { MemoryProfiles } from "./memory-profiles.ts";

interface MemorySession {
  fields: Omit<NewSession, "log">;
  lastActivity: number;
  epoch: number;
  leaseOwner: string | undefined;
  leaseUntil: number;
  summary: unknown;
  snapshot: unknown;
  storedBytes: number;
  /** Where it is the epoch of today, a sandbox is being made. */
  sandboxEpoch: number | undefined;
  readonly turns: Map<string, StoredTurn>;
  readonly requests: Map<string, StoredRequest & { isResolved: boolean }>;
  readonly transcripts: Map<string | null, string>;
  readonly files: Map<string, StoredFile>;
}

/** Keeps everything in memory and nothing beyond the process: for tests and trials. */
export class MemoryRuntimeStore implements RuntimeStore {
  readonly storeId = randomUUID();
  readonly checkpoints = new MemoryCheckpointStore((lease) => void this.#fenced(lease));
  readonly #log = new MemoryStore();
  readonly #sessions = new Map<string, MemorySession>();
  readonly #sandboxes = new Map<string, StoredSandbox>();
  readonly #keys = new Map<string, StoredKey>();
  readonly #profiles = new MemoryProfiles();
  readonly #audit = new MemoryAudit();

  async createSession({ log, lease, ...session }: NewSession, quota: Quota = {}): Promise<Lease | undefined> {
    refuseSession(session.owner, this.#usage(session.owner), quota);
    const { sessionId, uid, createdAt, lastActivity = createdAt } = session;
    if (this.#sessions.has(sessionId)) {
      throw new SandboxError("session_already_exists", `Session "${sessionId}" exists already.`, { sessionId });
    }
    const epoch = firstEpoch();
    this.#sessions.set(sessionId, {
      fields: structuredClone(session),
      lastActivity,
      epoch,
      leaseOwner: lease?.owner,
      leaseUntil: lease ? Date.now() + lease.ttlMs : 0,
      summary: undefined,
      snapshot: undefined,
      sandboxEpoch: undefined,
      storedBytes: log ? lengthOf(log) : 0,
      turns: new Map(),
      requests: new Map(),
      transcripts: new Map(),
      files: new Map(),
    });
    await this.#log.create({ sessionId, uid, createdAt, config: null });
    if (log) await this.#log.append(sessionId, asBatch(log));
    return lease && { sessionId, owner: lease.owner, epoch };
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    const session = this.#sessions.get(sessionId);
    return session && this.#stored(session);
  }

  async sessions({ owner, agent, search, limit, after }: StoredSessionQuery): Promise<StoredSessionPage> {
    const wanted = search?.toLowerCase();
    const found = [...this.#sessions.values()]
      .filter(({ fields }) => owner === undefined || fields.owner === owner)
      .filter(({ fields }) => agent === undefined || fields.agent === agent)
      .filter(({ fields }) => wanted === undefined || textsOf(fields).some((text) => text.includes(wanted)))
      .filter(({ fields }) => after === undefined || newestFirst(after, fields) < 0)
      .sort((a, b) => newestFirst(a.fields, b.fields));
    const sessions = found.slice(0, limit).map((session) => {
      const { snapshot: _, ...listed } = this.#stored(session);
      return listed;
    });
    return { sessions, hasMore: found.length > limit };
  }

  async updateSession(sessionId: string, changes: SessionFieldChanges): Promise<boolean> {
    const session = this.#sessions.get(sessionId);
    if (!session) return false;
    const { lastActivity = session.lastActivity, ...fields } = structuredClone(changes);
    session.fields = { ...session.fields, ...fields };
    session.lastActivity = lastActivity;
    return true;
  }

  async deleteSession(sessionId: string): Promise<void> {
    this.#sessions.delete(sessionId);
    this.checkpoints.forget(sessionId);
    for (const sandbox of this.#sandboxes.values()) {
      if (sandbox.sessionId === sessionId) this.#sandboxes.set(sandbox.sandboxId, { ...sandbox, sessionId: undefined });
    }
    await this.#log.delete(sessionId);
  }

  async claimLease(sessionId: string, owner: string, ttlMs: number): Promise<Lease | undefined> {
    const session = this.#sessions.get(sessionId);
    if (!session) return undefined;
    const holder = holderOf(session);
    if (holder !== undefined && holder !== owner) return undefined;
    session.epoch += 1;
    session.leaseOwner = owner;
    session.leaseUntil = Date.now() + ttlMs;
    return { sessionId, owner, epoch: session.epoch };
  }

  async renewLeases(owner: string, ttlMs: number): Promise<readonly string[]> {
    const held = [...this.#sessions.values()].filter(({ leaseOwner }) => leaseOwner === owner);
    for (const session of held) session.leaseUntil = Date.now() + ttlMs;
    return held.map(({ fields }) => fields.sessionId);
  }

  async releaseLease({ sessionId, epoch }: Lease): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session?.epoch !== epoch) return;
    session.epoch += 1;
    session.leaseOwner = undefined;
  }

  async append(lease: Lease, batch: LogBatch): Promise<void> {
    const session = this.#fenced(lease);
    const { cursor } = batch;
    const sandbox = cursor && this.#sandboxes.get(cursor.sandboxId);
    if (cursor && !sandbox) throw new SandboxError("internal_error", `There is no sandbox "${cursor.sandboxId}".`);
    if (cursor && sandbox && cursor.sequence <= sandbox.cursor) {
      throw new SandboxError(
        "internal_error",
        `Event ${cursor.sequence} of sandbox "${cursor.sandboxId}" is mirrored already.`,
      );
    }
    const { first, count, lines, raw } = asBatch(batch);
    const lineCount = lines.split("\n").length - 1;
    if (lineCount !== count || batch.lines.some((text) => text !== "" && !text.endsWith("\n"))) {
      throw new SandboxError("internal_error", `A batch of ${count} events has ${lineCount} lines.`);
    }
    const appended = this.#log.append(lease.sessionId, { first, count, lines, raw });
    if (cursor && sandbox) this.#sandboxes.set(cursor.sandboxId, { ...sandbox, cursor: cursor.sequence });
    session.storedBytes += lines.length + raw.length;
    session.lastActivity = Math.max(session.lastActivity, batch.at);
    if (batch.summary !== undefined) session.summary = structuredClone(batch.summary);
    if (batch.snapshot !== undefined) session.snapshot = structuredClone(batch.snapshot);
    for (const turnId of batch.endedTurns ?? []) {
      const turn = session.turns.get(turnId);
      if (turn && isOpen(turn)) session.turns.set(turnId, { ...turn, state: "ended" });
    }
    for (const { requestId, kind } of batch.openedRequests ?? []) {
      if (!session.requests.has(requestId)) session.requests.set(requestId, { requestId, kind, isResolved: false });
    }
    for (const requestId of batch.resolvedRequests ?? []) {
      const request = session.requests.get(requestId);
      if (request) request.isResolved = true;
    }
    await appended;
  }

  read(sessionId: string, after: number, page: PageRequest): Promise<EventPage> {
    return this.#log.read(sessionId, after, page);
  }

  readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage> {
    return this.#log.readRaw(sessionId, after, page);
  }

  async admitTurn(turn: NewTurn, maxOpen: number, quota: Quota = {}): Promise<{ turn: StoredTurn; isNew: boolean }> {
    const session = this.#get(turn.sessionId);
    const turns = [...session.turns.values()];
    const { turnId, idempotencyKey } = turn;
    const known =
      session.turns.get(turnId) ??
      turns.find((other) => idempotencyKey !== undefined && other.idempotencyKey === idempotencyKey);
    if (known) return { turn: structuredClone(known), isNew: false };
    if (turns.filter(isOpen).length >= maxOpen) {
      throw new SandboxError("too_many_requests", `${maxOpen} messages wait already. Try again when one has ended.`);
    }
    refuseTurn(session.fields.owner, this.#usage(session.fields.owner), quota, turn.sessionId);
    const admitted: StoredTurn = { ...structuredClone(turn), state: "admitted" };
    session.turns.set(turnId, admitted);
    session.lastActivity = Math.max(session.lastActivity, turn.admittedAt);
    return { turn: structuredClone(admitted), isNew: true };
  }

  async turn(sessionId: string, turnId: string): Promise<StoredTurn | undefined> {
    return structuredClone(this.#sessions.get(sessionId)?.turns.get(turnId));
  }

  async openTurns(sessionId: string): Promise<readonly StoredTurn[]> {
    const turns = this.#sessions.get(sessionId)?.turns.values() ?? [];
    return structuredClone([...turns].filter(isOpen));
  }

  async sessionsWithOpenTurns(): Promise<readonly string[]> {
    const withOpen = [...this.#sessions.values()].filter(({ turns }) => [...turns.values()].some(isOpen));
    return withOpen.map(({ fields }) => fields.sessionId);
  }

  async markTurnSent(lease: Lease, turnId: string, generation: number): Promise<boolean> {
    const { turns } = this.#fenced(lease);
    const turn = turns.get(turnId);
    if (!turn || !isOpen(turn)) return false;
    turns.set(turnId, { ...turn, state: "sent", generation });
    return true;
  }

  async withdrawTurn(sessionId: string, turnId: string): Promise<TurnState | undefined> {
    const turns = this.#sessions.get(sessionId)?.turns;
    const turn = turns?.get(turnId);
    if (turn?.state === "admitted") turns?.set(turnId, { ...turn, state: "withdrawn" });
    return turn?.state;
  }

  async answerRequest(sessionId: string, requestId: string, answer: unknown): Promise<"kept" | "answered" | undefined> {
    const requests = this.#sessions.get(sessionId)?.requests;
    const request = requests?.get(requestId);
    if (!requests || !request) return undefined;
    if (request.isResolved || "answer" in request) return "answered";
    requests.set(requestId, { ...request, answer: structuredClone(answer) });
    return "kept";
  }

  async openRequests(sessionId: string): Promise<readonly StoredRequest[]> {
    const requests = [...(this.#sessions.get(sessionId)?.requests.values() ?? [])];
    const open = requests.filter(({ isResolved }) => !isResolved);
    return structuredClone(open.map(({ isResolved: _, ...request }) => request));
  }

  async reserveSandbox(lease: Lease, quota: Quota): Promise<void> {
    const session = this.#fenced(lease);
    const { owner } = session.fields;
    refuseSandbox(owner, this.#usage(owner), quota, lease.sessionId);
    session.sandboxEpoch = session.epoch;
  }

  async releaseSandbox({ sessionId, epoch }: Lease): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session?.epoch === epoch) session.sandboxEpoch = undefined;
  }

  async putSandbox(sandbox: StoredSandbox): Promise<void> {
    this.#sandboxes.set(sandbox.sandboxId, { ...sandbox });
  }

  async updateSandbox(sandboxId: string, changes: Partial<Omit<StoredSandbox, "sandboxId">>): Promise<boolean> {
    const sandbox = this.#sandboxes.get(sandboxId);
    if (sandbox) this.#sandboxes.set(sandboxId, { ...sandbox, ...changes });
    return sandbox !== undefined;
  }

  async sandbox(sandboxId: string): Promise<StoredSandbox | undefined> {
    return this.#sandboxes.get(sandboxId);
  }

  async sandboxOf(sessionId: string): Promise<StoredSandbox | undefined> {
    const own = [...this.#sandboxes.values()].filter((sandbox) => sandbox.sessionId === sessionId);
    return own.sort((a, b) => b.generation - a.generation)[0];
  }

  async sandboxes(): Promise<readonly StoredSandbox[]> {
    return [...this.#sandboxes.values()];
  }

  async claimSandbox(
    template: string,
    sessionId: string,
    generation: number,
    sandboxId?: string,
  ): Promise<StoredSandbox | undefined> {
    const free = [...this.#sandboxes.values()].find(
      (sandbox) =>
        sandbox.template === template && isWarm(sandbox) && (sandboxId ?? sandbox.sandboxId) === sandbox.sandboxId,
    );
    if (!free) return undefined;
    const claimed: StoredSandbox = { ...free, sessionId, generation, state: "creating" };
    this.#sandboxes.set(free.sandboxId, claimed);
    return claimed;
  }

  async deleteSandbox(sandboxId: string): Promise<void> {
    this.#sandboxes.delete(sandboxId);
  }

  async putKey(key: StoredKey): Promise<void> {
    this.#keys.set(key.keyId, { ...key });
  }

  async keyByHash(hash: string): Promise<StoredKey | undefined> {
    return [...this.#keys.values()].find((key) => key.hash === hash);
  }

  async key(keyId: string): Promise<StoredKey | undefined> {
    return this.#keys.get(keyId);
  }

  async keys(): Promise<readonly StoredKey[]> {
    return [...this.#keys.values()];
  }

  async deleteKey(keyId: string): Promise<boolean> {
    return this.#keys.delete(keyId);
  }

  async putTranscript(sessionId: string, subagentId: string | null, text: string): Promise<void> {
    this.#get(sessionId).transcripts.set(subagentId, text);
  }

  async transcripts(sessionId: string): Promise<readonly { subagentId: string | null; text: string }[]> {
    const transcripts = this.#sessions.get(sessionId)?.transcripts ?? [];
    return [...transcripts].map(([subagentId, text]) => ({ subagentId, text }));
  }

  async putFile(sessionId: string, file: StoredFile): Promise<void> {
    this.#get(sessionId).files.set(file.path, { ...file });
  }

  async deleteFile(sessionId: string, path: string): Promise<void> {
    this.#sessions.get(sessionId)?.files.delete(path);
  }

  async files(sessionId: string): Promise<readonly StoredFile[]> {
    return [...(this.#sessions.get(sessionId)?.files.values() ?? [])];
  }

  async putProfile(profile: StoredProfile): Promise<void> {
    this.#profiles.put(profile);
  }

  async profile(profileId: string): Promise<StoredProfile | undefined> {
    return this.#profiles.get(profileId);
  }

  async profiles(): Promise<readonly StoredProfile[]> {
    return this.#profiles.all();
  }

  async deleteProfile(profileId: string): Promise<boolean> {
    return this.#profiles.delete(profileId);
  }

  async addProfileVersion(version: NewProfileVersion): Promise<StoredProfile> {
    return this.#profiles.addVersion(version);
  }

  async renewProfileDigest(name: string, version: number, digest: string): Promise<boolean> {
    return this.#profiles.renewDigest(name, version, digest);
  }

  async deleteProfileVersions(name: string): Promise<boolean> {
    const used = new Set([...this.#sessions.values()].map(({ fields }) => fields.profile));
    return this.#profiles.deleteVersions(name, used);
  }

  async usage(owner: string): Promise<StoredUsage> {
    return this.#usage(owner);
  }

  #usage(owner: string): StoredUsage {
    const own = [...this.#sessions.values()].filter(({ fields }) => fields.owner === owner);
    const withSandbox = [...this.#sandboxes.values()]
      .filter(({ state }) => state !== "ended")
      .map((it) => it.sessionId);
    return {
      sessions: own.length,
      turns: own.flatMap(({ turns }) => [...turns.values()].filter(isOpen)).length,
      sandboxes: own
        .filter((session) => isMaking(session) || withSandbox.includes(session.fields.sessionId))
        .map(({ fields }) => fields.sessionId),
      storageBytes: own.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    };
  }

  async appendAudit(entries: readonly NewAuditEntry[]): Promise<void> {
    this.#audit.append(entries);
  }

  async audit(wanted: AuditStoreQuery): Promise<readonly StoredAuditEntry[]> {
    return this.#audit.page(wanted);
  }

  async pruneAudit(before: number): Promise<number> {
    return this.#audit.prune(before);
  }

  async close(): Promise<void> {}

  #get(sessionId: string): MemorySession {
    const session = this.#sessions.get(sessionId);
    if (!session) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
    return session;
  }

  #fenced({ sessionId, epoch }: Lease): MemorySession {
    const session = this.#sessions.get(sessionId);
    if (session?.epoch !== epoch) throw new LeaseLost(sessionId);
    return session;
  }

  #stored(session: MemorySession): StoredSession {
    const { fields, lastActivity, epoch, summary, snapshot } = session;
    const head = this.#log.head(fields.sessionId);
    return structuredClone({ ...fields, lastActivity, head, epoch, leaseOwner: holderOf(session), summary, snapshot });
  }
}

const isOpen = ({ state }: StoredTurn): boolean => state === "admitted" || state === "sent";

const textsOf = ({ sessionId, title = "" }: MemorySession["fields"]): string[] => [
  sessionId.toLowerCase(),
  title.toLowerCase(),
];

const holderOf = ({ leaseOwner, leaseUntil }: MemorySession): string | undefined =>
  leaseUntil > Date.now() ? leaseOwner : undefined;

const isMaking = ({ sandboxEpoch, epoch, leaseUntil }: MemorySession): boolean =>
  sandboxEpoch === epoch && leaseUntil > Date.now();

function newestFirst(a: { createdAt: number; sessionId: string }, b: { createdAt: number; sessionId: string }): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  if (a.sessionId === b.sessionId) return 0;
  return a.sessionId < b.sessionId ? 1 : -1;
}
