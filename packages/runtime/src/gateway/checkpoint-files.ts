import { posix } from "node:path";
import { Readable } from "node:stream";
import { type FsEntry, FsTarRequest, SandboxError, type WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import { readJson } from "@sandbox-agent-ts/server/api";
import type { Context } from "hono";
import type { CheckpointStore, StoredCheckpoint } from "../store/checkpoint-store.ts";
import { checkpointEntries } from "../workspace/checkpoint-entries.ts";
import type { WorkspaceSummary } from "../workspace/read-manifest.ts";
import { workspaceTar } from "../workspace/workspace-tar.ts";

const maxBodyBytes = 32 * 1024 * 1024;

/** The files of a session as its last checkpoint has them, for who reads while there is no sandbox. */
export async function readFromCheckpoint(
  c: Context,
  store: CheckpointStore,
  { sessionId, directory }: { readonly sessionId: string; readonly directory?: string | null | undefined },
): Promise<Response> {
  const [last] = await store.checkpoints(sessionId);
  if (!last) throw noFiles(sessionId);
  const files = new CheckpointFiles(store, sessionId, last);
  const asked = new URL(c.req.url).searchParams.get("path") ?? ".";
  const path = placeIn(last.directory, directory ?? last.directory, asked);
  if (path === undefined) throw nothingAt(asked);
  switch (c.req.path) {
    case "/v1/fs/entries":
      return c.json(await files.list(path, asked));
    case "/v1/fs/stat":
      return c.json(described(last.directory, await files.find(path, asked)));
    case "/v1/fs/file":
      return files.send(await files.find(path, asked), asked);
    case "/v1/fs/manifest":
      return respond(files.manifest(path), { "content-type": "application/x-ndjson" });
    case "/v1/fs/tar": {
      const { paths, pathBytes } = await readJson(c, FsTarRequest, { optional: true, maxBytes: maxBodyBytes });
      const chosen = paths || pathBytes ? new Set([...(paths ?? []), ...(pathBytes ?? []).map(textOf)]) : undefined;
      return respond(workspaceTar(store, files.below(path, chosen)), { "content-type": "application/x-tar" });
    }
    default:
      throw noFiles(sessionId);
  }
}

class CheckpointFiles {
  readonly #store: CheckpointStore;
  readonly #sessionId: string;
  readonly #checkpoint: StoredCheckpoint;

  constructor(store: CheckpointStore, sessionId: string, checkpoint: StoredCheckpoint) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#checkpoint = checkpoint;
  }

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

  async send(entry: WorkspaceEntry, asked: string): Promise<Response> {
    if (entry.type !== "file") throw new SandboxError("invalid_request", `${JSON.stringify(asked)} is not a file.`);
    const bytes = await this.#store.readBlob(entry.hash);
    if (!bytes) throw nothingAt(asked);
    return respond(bytes, {
      "content-type": "application/octet-stream",
      "content-length": String(entry.size),
      "x-content-type-options": "nosniff",
    });
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

/** A path as a client names it, from the top of the workspace on; undefined where it is not in it. */
function placeIn(workspace: string, base: string, path: string): string | undefined {
  const place = posix.relative(workspace, posix.resolve(base, path));
  return place === ".." || place.startsWith("../") ? undefined : place;
}

function described(directory: string, entry: WorkspaceEntry) {
  return {
    path: posix.join(directory, entry.path),
    entryType: entry.type === "directory" ? ("directory" as const) : ("file" as const),
    size: entry.type === "file" ? entry.size : 0,
    modified: entry.type === "file" ? new Date(entry.mtime).toISOString() : null,
  };
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

function respond(bytes: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>): Response {
  const stream = Readable.toWeb(Readable.from(bytes, { objectMode: true, highWaterMark: 2 }));
  return new Response(stream as ReadableStream<Uint8Array>, { headers });
}

function nothingAt(path: string): SandboxError {
  return new SandboxError("not_found", `There is nothing at ${JSON.stringify(path)} in the last checkpoint.`);
}

function noFiles(sessionId: string): SandboxError {
  const sentence = `Session "${sessionId}" has no sandbox now, and no files were kept. Its next message makes one.`;
  return new SandboxError("not_found", sentence, { sessionId });
}
