import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { type PackedEntry, tarEnd, tarHeader, tarPadding } from "@sandbox-agent-ts/server/tar";
import { type CheckpointStore, smallBlobBytes } from "../store/checkpoint-store.ts";
import { pathBytesOf } from "../store/entry-path.ts";

/** Entries whose contents are read together. */
const readAtOnce = 64;
/** Small pieces go together. */
const chunkBytes = 256 * 1024;

/** Entries of a checkpoint as a tar archive, with their contents, as it is taken. */
export async function* workspaceTar(
  store: CheckpointStore,
  entries: AsyncIterable<WorkspaceEntry> | Iterable<WorkspaceEntry>,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of pieces(store, entries)) {
    parts.push(bytes);
    size += bytes.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(parts, size);
    parts = [];
    size = 0;
  }
  yield Buffer.concat([...parts, tarEnd()]);
}

async function* pieces(
  store: CheckpointStore,
  entries: AsyncIterable<WorkspaceEntry> | Iterable<WorkspaceEntry>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let some: WorkspaceEntry[] = [];
  for await (const entry of entries) {
    some.push(entry);
    if (some.length < readAtOnce) continue;
    yield* packed(store, some);
    some = [];
  }
  yield* packed(store, some);
}

async function* packed(
  store: CheckpointStore,
  entries: readonly WorkspaceEntry[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const isSmall = (entry: WorkspaceEntry) => entry.type === "file" && entry.size <= smallBlobBytes;
  const hashes = entries.filter(isSmall).map((entry) => (entry.type === "file" ? entry.hash : ""));
  const small = await store.blobs([...new Set(hashes)]);
  for (const entry of entries) {
    if (entry.type !== "file") {
      yield tarHeader(headerOf(entry));
      continue;
    }
    const bytes = small.get(entry.hash);
    yield tarHeader(headerOf(entry));
    yield* whole(bytes ? [bytes] : await store.readBlob(entry.hash), entry);
    yield tarPadding(entry.size);
  }
}

/** Never more than the header says: the rest would be read as entries of the archive. */
async function* whole(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
  { path, size }: { path: string; size: number },
) {
  let read = 0;
  for await (const part of bytes ?? []) {
    read += part.length;
    if (read > size) break;
    yield part;
  }
  if (read !== size) throw new Error(`The content of ${JSON.stringify(path)} is not whole in the store.`);
}

function headerOf(entry: WorkspaceEntry): PackedEntry {
  const name = pathBytesOf(entry);
  if (entry.type === "directory") return { name, kind: "directory", mode: entry.mode, size: 0, mtime: 0 };
  if (entry.type === "file") return { name, kind: "file", mode: entry.mode, size: entry.size, mtime: entry.mtime };
  const { target, targetBytes } = entry;
  const link = targetBytes === undefined ? Buffer.from(target) : Buffer.from(targetBytes, "base64");
  return { name, kind: "symlink", mode: 0o777, size: 0, mtime: 0, target: link };
}
