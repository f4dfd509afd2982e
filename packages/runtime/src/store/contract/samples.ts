import { sampleBatch } from "@sandbox-agent-ts/store/contract";
import type {
  Lease,
  LogBatch,
  NewSession,
  NewTurn,
  RuntimeStore,
  StoredKey,
  StoredSandbox,
  StoredSession,
} from "../runtime-store.ts";

export const createdAt = 1_700_000_000_000;

/** No lease of a test runs out by itself. */
export const longMs = 3_600_000;

export function sampleSession(sessionId: string, changes: Partial<NewSession> = {}): NewSession {
  return { sessionId, uid: "k3x9", owner: "ann", agent: "mock", createdAt, settings: { agentMode: null }, ...changes };
}

export function sampleTurn(sessionId: string, turnId: string, changes: Partial<NewTurn> = {}): NewTurn {
  const message = `do ${turnId}`;
  return {
    sessionId,
    turnId,
    digest: `of ${turnId}`,
    message,
    attachments: [],
    admittedAt: createdAt,
    after: 0,
    ...changes,
  };
}

export function sampleSandbox(sandboxId: string, changes: Partial<StoredSandbox> = {}): StoredSandbox {
  return {
    sandboxId,
    provider: "local",
    providerId: `at ${sandboxId}`,
    template: "default",
    generation: 0,
    token: "secret",
    cursor: 0,
    state: "ready",
    restartCount: 0,
    createdAt,
    ...changes,
  };
}

export function sampleKey(keyId: string): StoredKey {
  return { keyId, name: `key ${keyId}`, principal: "ann", scope: "write", hash: `hash of ${keyId}`, createdAt };
}

/** A new session and the right to write its log. */
export async function leased(store: RuntimeStore, sessionId: string, owner = "runtime-1"): Promise<Lease> {
  await store.createSession(sampleSession(sessionId));
  return claim(store, sessionId, owner);
}

export async function claim(store: RuntimeStore, sessionId: string, owner = "runtime-1"): Promise<Lease> {
  const lease = await store.claimLease(sessionId, owner, longMs);
  if (!lease) throw new Error(`The lease of "${sessionId}" cannot be claimed.`);
  return lease;
}

export async function headOf(store: RuntimeStore, sessionId: string): Promise<number> {
  return (await existing(store, sessionId)).head;
}

export async function existing(store: RuntimeStore, sessionId: string): Promise<StoredSession> {
  const session = await store.session(sessionId);
  if (!session) throw new Error(`There is no session "${sessionId}".`);
  return session;
}

/** A batch of one event per text that begins at `first`, with what else is wanted in it. */
export function batchOf(
  sessionId: string,
  first: number,
  texts: readonly string[],
  changes: Partial<LogBatch> = {},
): LogBatch {
  const { lines, raw, ...numbers } = sampleBatch(sessionId, first, texts);
  return { ...numbers, lines: [lines], raw: [raw], at: createdAt + 1000, ...changes };
}

/** Keep one event per text, after those that are there. */
export async function appendTexts(
  store: RuntimeStore,
  lease: Lease,
  texts: readonly string[],
  changes: Partial<LogBatch> = {},
): Promise<LogBatch> {
  const batch = batchOf(lease.sessionId, (await headOf(store, lease.sessionId)) + 1, texts, changes);
  await store.append(lease, batch);
  return batch;
}

/** A value that only careful drivers give back as it was. */
export const oddValue = {
  nothing: null,
  yes: true,
  big: 2 ** 53 - 1,
  small: -1e-7,
  text: "näh ✂ \u2028 \u0000 \ud800 🦀",
  "": [[], {}, [""]],
} as const;
