import { createHash } from "node:crypto";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type { CheckpointStore, EntryPage, NewCheckpoint, SmallBlob, StoredCheckpoint } from "../checkpoint-store.ts";
import { pathBytesOf, pathKey } from "../entry-path.ts";
import type { Lease } from "../runtime-store.ts";

interface MemoryCheckpoint {
  readonly stored: StoredCheckpoint;
  readonly entries: ReadonlyMap<string, WorkspaceEntry>;
}

/** Workspaces in memory. */
export class MemoryCheckpointStore implements CheckpointStore {
  readonly #fence: (lease: Lease) => void;
  readonly #blobs = new Map<string, { readonly bytes: Uint8Array; usedAt: number }>();
  readonly #checkpoints = new Map<string, MemoryCheckpoint[]>();

  /** `fence` throws where the lease is lost. */
  constructor(fence: (lease: Lease) => void) {
    this.#fence = fence;
  }

  forget(sessionId: string): void {
    this.#checkpoints.delete(sessionId);
  }

  async putBlobs(blobs: readonly SmallBlob[]): Promise<void> {
    for (const { hash, bytes } of blobs) this.#blobs.set(hash, { bytes: Uint8Array.from(bytes), usedAt: Date.now() });
  }

  async putBlob(bytes: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(Uint8Array.from(part));
    const whole = Buffer.concat(parts);
    const hash = createHash("sha256").update(whole).digest("hex");
    await this.putBlobs([{ hash, bytes: whole }]);
    return { hash, size: whole.length };
  }

  async blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(hashes.flatMap((hash) => (this.#blobs.has(hash) ? [[hash, this.#blobs.get(hash)!.bytes]] : [])));
  }

  async readBlob(hash: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const blob = this.#blobs.get(hash);
    if (!blob) return undefined;
    return (async function* () {
      yield blob.bytes;
    })();
  }

  async putCheckpoint(lease: Lease, checkpoint: NewCheckpoint): Promise<number> {
    this.#fence(lease);
    const { changes, keep, ...fields } = checkpoint;
    const kept = this.#checkpoints.get(lease.sessionId) ?? [];
    const last = kept.at(-1);
    const entries = new Map(last?.entries);
    for (const { path, entry } of changes) {
      if (entry) entries.set(pathKey(path), structuredClone(entry));
      else entries.delete(pathKey(path));
    }
    const number = (last?.stored.number ?? 0) + 1;
    const added = { stored: structuredClone({ ...fields, number }), entries };
    this.#checkpoints.set(lease.sessionId, [...kept, added].slice(-keep));
    return number;
  }

  async checkpoints(sessionId: string): Promise<readonly StoredCheckpoint[]> {
    return (this.#checkpoints.get(sessionId) ?? []).map(({ stored }) => structuredClone(stored)).reverse();
  }

  async entries(sessionId: string, number: number, { after, limit }: EntryPage): Promise<readonly WorkspaceEntry[]> {
    const found = this.#checkpoints.get(sessionId)?.find(({ stored }) => stored.number === number);
    return [...(found?.entries.values() ?? [])]
      .map((entry) => ({ entry, bytes: pathBytesOf(entry) }))
      .filter(({ bytes }) => after === undefined || Buffer.compare(bytes, after) > 0)
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      .slice(0, limit)
      .map(({ entry }) => structuredClone(entry));
  }

  async sweepBlobs(_after: string, graceMs: number): Promise<string | undefined> {
    const all = [...this.#checkpoints.values()].flat();
    const named = new Set(
      all.flatMap(({ entries }) =>
        [...entries.values()].flatMap((entry) => (entry.type === "file" ? [entry.hash] : [])),
      ),
    );
    for (const [hash, { usedAt }] of this.#blobs) {
      if (!named.has(hash) && usedAt <= Date.now() - graceMs) this.#blobs.delete(hash);
    }
    return undefined;
  }
}
