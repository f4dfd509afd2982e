import type { Logger } from "@sandbox-agent-ts/server";
import { storeLabel } from "../sessions/sandbox-spec.ts";
import { isWarm, type RuntimeStore, type StoredSandbox } from "../store/runtime-store.ts";
import { makingSince } from "./in-the-making.ts";
import type { SandboxProvider } from "./sandbox-provider.ts";

/** A sandbox that was just made may not be in the store yet. */
const defaultGraceMs = 60_000;
const defaultStartMs = 30_000;
/** Some services know only the second in which they made something. */
const secondMs = 1_000;

export interface ReapOptions {
  readonly store: RuntimeStore;
  readonly provider: SandboxProvider;
  readonly log: Logger;
  /** How long a daemon may take to start: a row says for no longer that its sandbox is being made. */
  readonly startTimeoutMs?: number | undefined;
  readonly graceMs?: number | undefined;
  /** No session uses its sandboxes any more, whatever the store says. */
  readonly isFormer?: boolean;
}

/**
 * End what nobody owns: sandboxes of this store at the provider that the store does not know or knows as ended, those that
 * were never made to the end, and those of sessions that are no more. Answers their ids at the provider.
 */
export async function reapSandboxes(options: ReapOptions): Promise<readonly string[]> {
  const { store, provider, log, startTimeoutMs = defaultStartMs, graceMs = defaultGraceMs, isFormer = false } = options;
  const since = makingSince(provider);
  const rows = (await store.sandboxes()).filter((row) => row.provider === provider.name);
  const owned = new Set<string>();
  const abandoned: StoredSandbox[] = [];
  for (const row of rows) {
    const isYoung = Date.now() - row.createdAt < startTimeoutMs + graceMs;
    const isBeingMade = row.state === "creating" && (isYoung || (await isLoaded(store, row)));
    const isOwned = isBeingMade || (row.state === "ready" && (isWarm(row) || (await hasSession(store, row))));
    if (isOwned && !isFormer) owned.add(row.providerId);
    else abandoned.push(row);
  }
  const ended: string[] = [];
  const failed = new Set<string>();
  for await (const { id, createdAt } of provider.list({ key: storeLabel, value: store.storeId })) {
    const isKnown = abandoned.some(({ providerId }) => providerId === id);
    const isYoung = Date.now() - createdAt < graceMs || createdAt > since - secondMs;
    if (owned.has(id) || (!isKnown && isYoung)) continue;
    try {
      await (await provider.attach(id))?.destroy();
      ended.push(id);
    } catch (err) {
      failed.add(id);
      log.error({ err, sandbox: id }, "a sandbox that nobody owns could not be ended");
    }
  }
  for (const row of abandoned) if (!failed.has(row.providerId)) await forget(store, row);
  if (ended.length > 0) log.warn({ ended }, "ended sandboxes that no session owns");
  return ended;
}

async function hasSession(store: RuntimeStore, { sessionId }: StoredSandbox): Promise<boolean> {
  return sessionId !== undefined && (await store.session(sessionId)) !== undefined;
}

/** Who holds the session's lease is at work on its sandbox, however long that takes. */
async function isLoaded(store: RuntimeStore, { sessionId }: StoredSandbox): Promise<boolean> {
  return sessionId !== undefined && (await store.session(sessionId))?.leaseOwner !== undefined;
}

/** The row of a session stays: it says which generation the next one is. */
async function forget(store: RuntimeStore, row: StoredSandbox): Promise<void> {
  if (!(await hasSession(store, row))) await store.deleteSandbox(row.sandboxId);
  else if (row.state !== "ended") await store.updateSandbox(row.sandboxId, { state: "ended" });
}
