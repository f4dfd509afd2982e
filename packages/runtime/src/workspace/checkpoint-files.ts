import { posix } from "node:path";
import { type FsEntry, SandboxError, type WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type { CheckpointStore, StoredCheckpoint } from "../store/checkpoint-store.ts";
import { checkpointEntries } from "./checkpoint-entries.ts";
import type { WorkspaceSummary } from "./read-manifest.ts";

/** The files of a session as one of its checkpoints has them. */
export class CheckpointFiles {
  readonly #store: CheckpointStore;
  readonly #sessionId: string;
  readonly #checkpoint: StoredCheckpoint;

  constructor(store: CheckpointStore, sessionId: string, checkpoint: StoredCheckpoint) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#checkpoint = checkpoint;
  }

  /** What there is at a path, from the top of the workspace on; `asked` is how the client named it. */
  async find(path: string, asked: string): Promise<WorkspaceEntry> {
    if (path === "") return { type: "directory", path, mode: 0o755 };
    for await (const entry of this.#all()) if (entry.path === path) return entry;
    throw nothingAt(asked);
  }

  async list(path: string, asked: string): Promise<FsEntry[]> {
    const { type } = await this.find(path, asked);
    if (type !== "directory") throw new SandboxError("invalid_request", `${JSON.stringify(asked)} is not a directory.`);
    const entries: FsEntry[] = [];
    for await (const entry of this.below(path)) {
      if (entry.path.includes("/")) continue;
      const whole = { ...entry, path: posix.join(path, entry.path) };
      entries.push({ name: entry.path, ...described(this.#checkpoint.directory, whole) });
    }
    return entries;
  }

  /** What is in a file. */
  async content(path: string, asked: string): Promise<{ bytes: AsyncIterable<Uint8Array>; size: number }> {
    const entry = await this.find(path, asked);
    if (entry.type !== "file") throw new SandboxError("invalid_request", `${JSON.stringify(asked)} is not a file.`);
    const bytes = await this.#store.readBlob(entry.hash);
    if (!bytes) throw nothingAt(asked);
    return { bytes, size: entry.size };
  }

  /** What is below a directory, with paths from there on. */
  async *below(path: string, chosen?: ReadonlySet<string>): AsyncGenerator<WorkspaceEntry, void, undefined> {
    const prefix = path === "" ? "" : `${path}/`;
    for await (const entry of this.#all()) {
      if (!entry.path.startsWith(prefix)) continue;
      const inner = prefix === "" ? entry : { ...entry, path: entry.path.slice(prefix.length) };
      if (!chosen || chosen.has(inner.path)) yield inner;
    }
  }

  async *manifest(path: string): AsyncGenerator<Buffer, void, undefined> {
    let entries = 0;
    let bytes = 0;
    for await (const entry of this.below(path)) {
      entries += 1;
      if (entry.type === "file") bytes += entry.size;
      yield Buffer.from(`${JSON.stringify(entry)}\n`);
    }
    const { leftOut, examples } = this.#checkpoint.summary as WorkspaceSummary;
    for (const example of examples) yield Buffer.from(`${JSON.stringify({ type: "left_out", ...example })}\n`);
    yield Buffer.from(`${JSON.stringify({ type: "end", entries, bytes, leftOut })}\n`);
  }

  #all(): AsyncGenerator<WorkspaceEntry, void, undefined> {
    return checkpointEntries(this.#store, this.#sessionId, this.#checkpoint.number);
  }
}

/** An entry as the daemon tells of it. */
export function described(directory: string, entry: WorkspaceEntry) {
  return {
    path: posix.join(directory, entry.path),
    entryType: entry.type === "directory" ? ("directory" as const) : ("file" as const),
    size: entry.type === "file" ? entry.size : 0,
    modified: entry.type === "file" ? new Date(entry.mtime).toISOString() : null,
  };
}

export function nothingAt(path: string): SandboxError {
  return new SandboxError("not_found", `There is nothing at ${JSON.stringify(path)} in the checkpoint.`);
}
