import { posix } from "node:path";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { type Logger, streamOf } from "@sandbox-agent-ts/server";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { CheckpointStore, EntryChange, StoredCheckpoint } from "../store/checkpoint-store.ts";
import { pathBytesOf, pathKey } from "../store/entry-path.ts";
import type { Lease } from "../store/runtime-store.ts";
import { checkpointEntries } from "./checkpoint-entries.ts";
import { type FetchTar, fetchContents } from "./fetch-contents.ts";
import { readManifest, WorkspaceFault, type WorkspaceSummary } from "./read-manifest.ts";
import { workspaceTar } from "./workspace-tar.ts";

/** Checkpoints of a session that stay. */
export const keptCheckpoints = 20;
/** How long keeping or restoring a workspace may take. */
const limitMs = 5 * 60_000;

export interface SessionWorkspaceOptions {
  readonly sessionId: string;
  readonly store: CheckpointStore;
  readonly log: Logger;
  /** Where the session works, if that is not the sandbox's own workspace. */
  readonly directory: () => string | null | undefined;
  readonly lease: () => Lease;
  readonly head: () => number;
}

/**
 * The files of one session beyond its sandboxes: kept at the end of each turn, put into each new sandbox. A workspace is the
 * sandbox's own; a session that works in another directory, e.g. of the machine, has its files there and nothing is kept.
 */
export class SessionWorkspace {
  readonly #options: SessionWorkspaceOptions;
  #taking: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(options: SessionWorkspaceOptions) {
    this.#options = options;
  }

  /**
   * Keep the files as they are now, one after the other. Never rejects: what cannot be kept now is with the next. Answers what
   * is wrong with a sandbox that says of its files what no daemon says.
   */
  checkpoint(sandbox: AgentSandbox, patienceMs = limitMs): Promise<string | undefined> {
    const { sessionId, log } = this.#options;
    if (!this.#isKept(sandbox)) return Promise.resolve(undefined);
    this.#taking = this.#taking.then(async () => {
      const startedAt = performance.now();
      try {
        const number = await this.#take(sandbox, AbortSignal.timeout(patienceMs));
        const ms = Math.round(performance.now() - startedAt);
        log.debug({ sessionId, sandboxId: sandbox.id, number, ms }, "the workspace is kept");
      } catch (err) {
        log.warn(
          { err, sessionId, sandboxId: sandbox.id },
          "the workspace could not be kept; the last checkpoint stays",
        );
        return err instanceof WorkspaceFault ? err.message : undefined;
      }
      return undefined;
    });
    return this.#taking;
  }

  /** Put the files of the last checkpoint into a new sandbox. */
  async restore(sandbox: AgentSandbox, onStep: (step: string) => void): Promise<void> {
    const { sessionId, store } = this.#options;
    const last = await this.last();
    if (!last || !this.#isKept(sandbox)) return;
    const { entries } = last.summary as WorkspaceSummary;
    if (entries === 0) return;
    onStep(`Restoring ${entries} files …`);
    const place = new URLSearchParams({ path: sandbox.paths.workspace, exact: "true" });
    const response = await sandbox.fetch(`/v1/fs/upload-batch?${place}`, {
      method: "POST",
      headers: { "content-type": "application/x-tar" },
      body: streamOf(workspaceTar(store, checkpointEntries(store, sessionId, last.number))),
      duplex: "half",
      signal: AbortSignal.timeout(limitMs),
    } as RequestInit);
    if (response.ok) return void (await response.body?.cancel());
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(`The files could not be restored: ${problem.detail ?? response.status}.`);
  }

  async last(): Promise<StoredCheckpoint | undefined> {
    return (await this.#options.store.checkpoints(this.#options.sessionId))[0];
  }

  #isKept({ paths: { workspace } }: AgentSandbox): boolean {
    const directory = this.#options.directory() ?? workspace;
    return directory === workspace || !posix.relative(workspace, directory).startsWith("..");
  }

  async #take(sandbox: AgentSandbox, signal: AbortSignal): Promise<number> {
    const { sessionId, store, lease, head } = this.#options;
    const sequence = head();
    const last = await this.last();
    const directory = sandbox.paths.workspace;
    const response = await sandbox.fetch(`/v1/fs/manifest?${new URLSearchParams({ path: directory })}`, {
      headers: last ? { "if-none-match": last.tag } : {},
      signal,
    });
    const at = Date.now();
    const keep = keptCheckpoints;
    if (response.status === 304 && last) {
      const { tag, summary } = last;
      return store.putCheckpoint(lease(), { sequence, at, directory, tag, summary, changes: [], keep });
    }
    if (!response.ok || !response.body) throw new Error(`The manifest was answered with ${response.status}.`);
    const { entries, summary } = await readManifest(bytesOf(response.body));
    const before = new Map<string, WorkspaceEntry>();
    if (last) {
      for await (const entry of checkpointEntries(store, sessionId, last.number)) before.set(keyOf(entry), entry);
    }
    const now = await this.#withContents(sandbox, entries, before, signal);
    // What came is not what was listed where it has changed meanwhile; then the tag says nothing.
    const tag = now === entries ? (response.headers.get("etag") ?? "") : "";
    const changes = changesBetween(before, now);
    return store.putCheckpoint(lease(), { sequence, at, directory, tag, summary, changes, keep });
  }

  /**
   * The entries, with all contents in the store; the same where they are as they were listed. Contents are shared by all
   * sessions, so a hash is worth nothing: only what this session's own last checkpoint has is not fetched again.
   */
  async #withContents(
    sandbox: AgentSandbox,
    entries: ReadonlyMap<string, WorkspaceEntry>,
    before: ReadonlyMap<string, WorkspaceEntry>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, WorkspaceEntry>> {
    const sizes = new Map(filesOf(before).map(({ hash, size }) => [hash, size]));
    const wanted = new Map(
      filesOf(entries)
        .filter(({ hash }) => !sizes.has(hash))
        .map((file) => [file.hash, file]),
    );
    const fetched = new Map<string, WorkspaceEntry>();
    const fetchAll = async (files: Parameters<typeof fetchContents>[1]) => {
      for (const file of await fetchContents(this.#options.store, files, (request) =>
        fetchTar(sandbox, request, signal),
      )) {
        sizes.set(file.hash, file.size);
        fetched.set(keyOf(file), file);
      }
    };
    await fetchAll([...wanted.values()]);
    // Of those alike one was fetched, and that one may have changed meanwhile.
    await fetchAll(filesOf(entries).filter((file) => !sizes.has(file.hash) && !fetched.has(keyOf(file))));
    const isListed = (entry: WorkspaceEntry) => entry.type !== "file" || sizes.has(entry.hash);
    const lie = filesOf(entries).find(({ hash, size }) => (sizes.get(hash) ?? size) !== size);
    if (lie) throw new WorkspaceFault("its manifest has a file of another size than its content");
    if ([...entries.values()].every(isListed)) return entries;
    // A file whose content has changed is as it came; one that did not come is left out until the next.
    return new Map(
      [...entries].flatMap(([key, entry]) => {
        const file = isListed(entry) ? entry : fetched.get(key);
        return file ? [[key, file] as const] : [];
      }),
    );
  }
}

async function fetchTar(
  sandbox: AgentSandbox,
  request: Parameters<FetchTar>[0],
  signal: AbortSignal,
): ReturnType<FetchTar> {
  const place = new URLSearchParams({ path: sandbox.paths.workspace });
  const response = await sandbox.fetch(`/v1/fs/tar?${place}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal,
  });
  if (response.ok && response.body) return bytesOf(response.body);
  throw new Error(`The archive was answered with ${response.status}.`);
}

function filesOf(entries: ReadonlyMap<string, WorkspaceEntry>) {
  return [...entries.values()].flatMap((entry) => (entry.type === "file" ? [entry] : []));
}

/** The streams of Node can be iterated, which the types of browsers do not say. */
function bytesOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return body as unknown as AsyncIterable<Uint8Array>;
}

function keyOf(entry: WorkspaceEntry): string {
  return pathKey(pathBytesOf(entry));
}

function changesBetween(
  before: ReadonlyMap<string, WorkspaceEntry>,
  now: ReadonlyMap<string, WorkspaceEntry>,
): EntryChange[] {
  const changes: EntryChange[] = [];
  for (const [key, entry] of now) {
    const old = before.get(key);
    if (old && isSame(old, entry)) continue;
    changes.push({ path: pathBytesOf(entry), entry, isKnown: old !== undefined });
  }
  for (const [key, entry] of before) {
    if (!now.has(key)) changes.push({ path: pathBytesOf(entry), entry: undefined, isKnown: true });
  }
  return changes;
}

function isSame(a: WorkspaceEntry, b: WorkspaceEntry): boolean {
  if (a.type === "file" && b.type === "file") return a.hash === b.hash && a.mode === b.mode && a.mtime === b.mtime;
  if (a.type === "directory" && b.type === "directory") return a.mode === b.mode;
  if (a.type !== "symlink" || b.type !== "symlink") return false;
  return a.target === b.target && a.targetBytes === b.targetBytes;
}
