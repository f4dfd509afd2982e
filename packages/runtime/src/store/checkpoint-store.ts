import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type { Lease } from "./runtime-store.ts";

/**
 * The part of a store that keeps workspaces: how the files of a session were at the ends of its turns. A checkpoint is a list
 * of entries; contents are kept once, by their SHA-256, whoever has them. A checkpoint that is like the one before but for
 * three files costs three entries.
 *
 * Contents are put first, then the checkpoint that names them. `sweepBlobs` removes contents that no checkpoint names; those
 * that were put within its grace stay, because the checkpoint may be on its way.
 */
export interface CheckpointStore {
  /** Keep small contents. Their hashes are the caller's to compute. */
  putBlobs(blobs: readonly SmallBlob[]): Promise<void>;

  /** Keep a content of any size as it comes; answers what it was. One that breaks off leaves nothing. */
  putBlob(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hash: string; readonly size: number }>;

  /** The small ones among these contents; others are read one by one. */
  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;

  /** A content as it is taken; undefined when it is not here. */
  readBlob(hash: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /**
   * Keep a checkpoint: what changed since the last one. Answers its number, one more than the last. Only the newest `keep` of
   * the session stay. Survives the process at once and the machine within a second. Rejects with `LeaseLost`.
   */
  putCheckpoint(lease: Lease, checkpoint: NewCheckpoint): Promise<number>;

  /** The checkpoints of a session, newest first. */
  checkpoints(sessionId: string): Promise<readonly StoredCheckpoint[]>;

  /** Entries of a checkpoint in the order of their paths' bytes, beginning behind a path. */
  entries(sessionId: string, number: number, page: EntryPage): Promise<readonly WorkspaceEntry[]>;

  /** Remove what nothing names from a page of the contents; answers where the next page begins, undefined at the end. */
  sweepBlobs(after: string, graceMs: number): Promise<string | undefined>;
}

/** Up to here a content is small. */
export const smallBlobBytes = 1024 * 1024;

export interface SmallBlob {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export interface EntryPage {
  /** The bytes of the last path seen. */
  readonly after?: Uint8Array | undefined;
  readonly limit: number;
}

export interface EntryChange {
  readonly path: Uint8Array;
  /** Undefined: it is gone. */
  readonly entry: WorkspaceEntry | undefined;
  /** Whether the last checkpoint has the path. */
  readonly isKnown: boolean;
}

export interface NewCheckpoint {
  /** The last event of the log when it was taken. */
  readonly sequence: number;
  readonly at: number;
  /** Where the workspace was in its sandbox. */
  readonly directory: string;
  /** What the sandbox called this state, to be told when it has not changed. */
  readonly tag: string;
  /** Opaque: sums, and what was left out. */
  readonly summary: unknown;
  readonly changes: readonly EntryChange[];
  readonly keep: number;
}

export interface StoredCheckpoint extends Omit<NewCheckpoint, "changes" | "keep"> {
  readonly number: number;
}

/**
 * Where contents are that are too large for a database: a directory, or an application's object store.
 * A content that was put is there, whole, for everybody, until it is deleted.
 */
export interface BlobStore {
  put(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hash: string; readonly size: number }>;
  /** Undefined when it is not here. */
  read(hash: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Those that are not here are passed over. */
  delete(hashes: readonly string[]): Promise<void>;
}
