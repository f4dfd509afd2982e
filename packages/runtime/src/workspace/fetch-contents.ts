import { createHash } from "node:crypto";
import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { type ReadEntry, readTar } from "@sandbox-agent-ts/server/tar";
import { type CheckpointStore, type SmallBlob, smallBlobBytes } from "../store/checkpoint-store.ts";
import { pathBytesOf, pathKey } from "../store/entry-path.ts";
import { maxFileBytes, WorkspaceFault } from "./read-manifest.ts";

type FileEntry = Extract<WorkspaceEntry, { type: "file" }>;

/** Files of one request. */
const filesAtOnce = 2_000;
const bytesAtOnce = 256 * 1024 * 1024;
/** By so much a workspace may grow while it is fetched. */
const growthBytes = 128 * 1024 * 1024;
const tarBlock = 512;
/** Small contents of one transaction. */
const keptAtOnce = 1024 * 1024;

/** Asks a sandbox for a tar of these paths. */
export type FetchTar = (request: { paths: string[]; pathBytes: string[] }) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Fetches the contents of files into the store. Answers the files as they were then: one that has changed since it was listed
 * has another hash. Those that did not come are not among them.
 */
export async function fetchContents(
  store: CheckpointStore,
  files: readonly FileEntry[],
  fetchTar: FetchTar,
): Promise<FileEntry[]> {
  const arrived: FileEntry[] = [];
  for (const some of inPieces(files)) arrived.push(...(await fetchPiece(store, some, fetchTar)));
  return arrived;
}

function* inPieces(files: readonly FileEntry[]): Generator<FileEntry[], void, undefined> {
  let piece: FileEntry[] = [];
  let bytes = 0;
  for (const file of files) {
    piece.push(file);
    bytes += file.size;
    if (piece.length < filesAtOnce && bytes < bytesAtOnce) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}

async function fetchPiece(store: CheckpointStore, files: readonly FileEntry[], fetchTar: FetchTar) {
  const wanted = new Map(files.map((file) => [pathKey(pathBytesOf(file)), file]));
  const arrived: FileEntry[] = [];
  let left = files.reduce((sum, { size }) => sum + size, growthBytes);
  let batch: SmallBlob[] = [];
  let batched = 0;
  const flush = async () => {
    await store.putBlobs(batch);
    batch = [];
    batched = 0;
  };
  const tar = await fetchTar({
    paths: files.flatMap(({ path, pathBytes }) => (pathBytes === undefined ? [path] : [])),
    pathBytes: files.flatMap(({ pathBytes }) => (pathBytes === undefined ? [] : [pathBytes])),
  });
  for await (const read of readTar(tar)) {
    left -= tarBlock + read.entry.size;
    if (left < 0) throw new WorkspaceFault("it sends more than it has listed");
    const key = pathKey(read.entry.name);
    const file = wanted.get(key);
    // A directory or link that has taken its place, or a file that has outgrown all bounds, is seen by the next checkpoint.
    if (!file || read.entry.kind !== "file" || read.entry.size > maxFileBytes) continue;
    wanted.delete(key);
    const content = await keep(store, read, (blob) => {
      batch.push(blob);
      batched += blob.bytes.length;
    });
    arrived.push({ ...file, ...content });
    if (batched >= keptAtOnce) await flush();
  }
  await flush();
  return arrived;
}

async function keep(store: CheckpointStore, read: ReadEntry, keepSmall: (blob: SmallBlob) => void) {
  if (read.entry.size > smallBlobBytes) return store.putBlob(read.stream());
  const bytes = Buffer.from(await read.bytes());
  const hash = createHash("sha256").update(bytes).digest("hex");
  keepSmall({ hash, bytes });
  return { hash, size: bytes.length };
}
