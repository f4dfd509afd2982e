import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type {
  BlobStore,
  CheckpointStore,
  EntryPage,
  NewCheckpoint,
  SmallBlob,
  StoredCheckpoint,
} from "../checkpoint-store.ts";
import type { Lease } from "../runtime-store.ts";
import * as checkpoints from "./checkpoints.ts";
import type { SqlDatabase } from "./steps.ts";

/** Changes of one transaction: nobody waits long for it. */
const stagedAtOnce = 500;

/** Workspaces in a database; large contents are elsewhere where there is such a place. */
export class SqlCheckpointStore implements CheckpointStore {
  readonly #database: SqlDatabase;
  readonly #large: BlobStore | undefined;

  constructor(database: SqlDatabase, large: BlobStore | undefined) {
    this.#database = database;
    this.#large = large;
  }

  putBlobs(blobs: readonly SmallBlob[]): Promise<void> {
    return this.#database.write(checkpoints.putBlobs(blobs, Date.now()), "soon");
  }

  async putBlob(bytes: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
    if (this.#large) {
      const { hash, size } = await this.#large.put(bytes);
      await this.#database.write(checkpoints.putBlobRow(hash, size, null, Date.now()), "soon");
      return { hash, size };
    }
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    const whole = Buffer.concat(parts);
    const hash = createHash("sha256").update(whole).digest("hex");
    await this.putBlobs([{ hash, bytes: whole }]);
    return { hash, size: whole.length };
  }

  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#database.read(checkpoints.readBlobs(hashes));
  }

  async readBlob(hash: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const bytes = (await this.blobs([hash])).get(hash);
    if (!bytes) return this.#large?.read(hash);
    return (async function* () {
      yield bytes;
    })();
  }

  async putCheckpoint(lease: Lease, checkpoint: NewCheckpoint): Promise<number> {
    const { changes } = checkpoint;
    const number = await this.#database.write(checkpoints.beginCheckpoint(lease), "soon");
    for (let at = 0; at < changes.length; at += stagedAtOnce) {
      const some = changes.slice(at, at + stagedAtOnce);
      await this.#database.write(checkpoints.stageChanges(lease, number, some), "soon");
      await setImmediate();
    }
    await this.#database.write(checkpoints.finishCheckpoint(lease, number, checkpoint), "soon");
    return number;
  }

  checkpoints(sessionId: string): Promise<readonly StoredCheckpoint[]> {
    return this.#database.read(checkpoints.listCheckpoints(sessionId));
  }

  entries(sessionId: string, number: number, page: EntryPage): Promise<readonly WorkspaceEntry[]> {
    return this.#database.read(checkpoints.listEntries(sessionId, number, page));
  }

  async sweepBlobs(after: string, graceMs: number): Promise<string | undefined> {
    const { gone, next } = await this.#database.write(checkpoints.sweepBlobs(after, Date.now() - graceMs), "soon");
    await this.#large?.delete(gone);
    return next;
  }
}
