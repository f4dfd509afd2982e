import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { type PackedEntry, tarEnd, tarHeader, tarPadding } from "@sandbox-agent-ts/server/tar";
import { type CheckpointStore, smallBlobBytes } from "../store/checkpoint-store.ts";
import { pathBytesOf } from "../store/entry-path.ts";

/** Entries whose contents are read together. */
const readAtOnce = 64;
/** Small pieces go together. */
const chunkBytes = 1024 * 1024;

/** Entries of a checkpoint as a tar archive, with their contents, as it is taken. */
export async function* workspaceTar(
  store: CheckpointStore,
  entries: AsyncIterable<WorkspaceEntry> | Iterable<WorkspaceEntry>,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const some of together(entries)) {
    for await (const bytes of packed(store, some)) {
      parts.push(...bytes);
      size += bytes.reduce((sum, { length }) => sum + length, 0);
      if (size < chunkBytes) continue;
      yield Buffer.concat(parts, size);
      parts = [];
      size = 0;
    }
  }
  yield Buffer.concat([...parts, tarEnd()]);
}

async function* together(
  entries: AsyncIterable<WorkspaceEntry> | Iterable<WorkspaceEntry>,
): AsyncGenerator<readonly WorkspaceEntry[], void, undefined> {
  let some: WorkspaceEntry[] = [];
  for await (const entry of entries) {
    some.push(entry);
    if (some.length < readAtOnce) continue;
    yield some;
    some = [];
  }
  yield some;
}

type FileEntry = Extract<WorkspaceEntry, { type: "file" }>;

/** In pieces of about a small content. */
async function* packed(
  store: CheckpointStore,
  entries: readonly WorkspaceEntry[],
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  const hashes = entries.flatMap((entry) =>
    entry.type === "file" && entry.size <= smallBlobBytes ? [entry.hash] : [],
  );
  const small = await store.blobs([...new Set(hashes)]);
  for (const entry of entries) {
    const header = tarHeader(headerOf(entry));
    const bytes = entry.type === "file" ? small.get(entry.hash) : undefined;
    if (entry.type !== "file") yield [header];
    else if (bytes?.length === entry.size) yield [header, bytes, tarPadding(entry.size)];
    else yield* streamed(header, entry, bytes ? [bytes] : await store.readBlob(entry.hash));
  }
}

/** Never more than the header says: the rest would be read as entries of the archive. */
async function* streamed(
  header: Buffer,
  { path, size }: FileEntry,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  yield [header];
  let read = 0;
  for await (const part of bytes ?? []) {
    read += part.length;
    if (read > size) break;
    yield [part];
  }
  if (read !== size) throw new Error(`The content of ${JSON.stringify(path)} is not whole in the store.`);
  yield [tarPadding(size)];
}

function headerOf(entry: WorkspaceEntry): PackedEntry {
  const name = pathBytesOf(entry);
  if (entry.type === "directory") return { name, kind: "directory", mode: entry.mode, size: 0, mtime: 0 };
  if (entry.type === "file") return { name, kind: "file", mode: entry.mode, size: entry.size, mtime: entry.mtime };
  const { target, targetBytes } = entry;
  const link = targetBytes === undefined ? Buffer.from(target) : Buffer.from(targetBytes, "base64");
  return { name, kind: "symlink", mode: 0o777, size: 0, mtime: 0, target: link };
}
