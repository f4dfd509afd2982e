import {
  FsDeleteBatchRequest,
  FsManifestQuery,
  FsOptionalPathQuery,
  FsTarRequest,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import { streamOf } from "@sandbox-agent-ts/server";
import { readJson, readQuery, sendEvents } from "@sandbox-agent-ts/server/api";
import type { Context, Hono } from "hono";
import { deleteEntry } from "../../files/delete-entry.ts";
import type { FileAccess, FileTarget } from "../../files/file-access.ts";
import { followChanges, refuseTooManyFollowers } from "../../workspace/follow-changes.ts";
import { packTree } from "../../workspace/pack-tree.ts";
import { type ScanOptions, scanOptions } from "../../workspace/scan-options.ts";
import { openDirectory, realDirectory, Workspaces } from "../../workspace/workspaces.ts";

const maxBodyBytes = 32 * 1024 * 1024;
/** A piece of the answer. */
const chunkLines = 512;

/** Directories as wholes: what is in them, as an archive, and what happens to them. */
export function workspaceRoutes(app: Hono, access: FileAccess, closing: AbortSignal): void {
  const workspaces = new Workspaces();

  app.get("/v1/fs/manifest", async (c) => {
    const { target, options } = manifestQuery(c);
    const { lines, tag } = await workspaces.scan(access, target, options);
    const headers = { etag: `"${tag}"`, "cache-control": "no-cache" };
    if (c.req.header("if-none-match") === headers.etag) return c.body(null, 304, headers);
    return c.body(streamOf(inChunks(lines)), 200, { ...headers, "content-type": "application/x-ndjson" });
  });

  app.post("/v1/fs/tar", async (c) => {
    const { target, options } = manifestQuery(c);
    const { paths, pathBytes } = await readJson(c, FsTarRequest, { optional: true, maxBytes: maxBodyBytes });
    const chosen =
      paths || pathBytes
        ? [...(paths ?? []).map((path) => Buffer.from(path)), ...(pathBytes ?? []).map(fromBase64)]
        : pathsIn((await workspaces.scan(access, target, options)).lines);
    const root = await realDirectory(access, target);
    return c.body(streamOf(packTree(() => openDirectory(root, target), chosen)), 200, {
      "content-type": "application/x-tar",
    });
  });

  app.post("/v1/fs/delete-batch", async (c) => {
    const { path = ".", sessionId } = readQuery(c, FsOptionalPathQuery);
    const { paths } = await readJson(c, FsDeleteBatchRequest, { maxBytes: maxBodyBytes });
    const root = await realDirectory(access, { path, sessionId });
    const jail: FileAccess = { ...access, roots: () => [root], base: () => root };
    let deleted = 0;
    for (const name of paths) if (await wasDeleted(jail, name)) deleted += 1;
    return c.json({ deleted, missing: paths.length - deleted });
  });

  app.get("/v1/fs/changes/sse", async (c) => {
    const { path = ".", sessionId } = readQuery(c, FsOptionalPathQuery);
    const target = { path, sessionId };
    refuseTooManyFollowers();
    const root = await realDirectory(access, target);
    return sendEvents(c, closing, (signal) => frames(followChanges(() => openDirectory(root, target), signal)));
  });
}

function manifestQuery(c: Context): { target: FileTarget; options: ScanOptions } {
  const { path = ".", sessionId, ...wished } = readQuery(c, FsManifestQuery);
  return { target: { path, sessionId }, options: scanOptions(wished) };
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

/** The paths of a manifest's entries. */
function* pathsIn(lines: readonly string[]): Generator<Buffer, void, undefined> {
  for (const line of lines) {
    const { type, path, pathBytes } = JSON.parse(line) as { type: string; path: string; pathBytes?: string };
    if (type === "left_out" || type === "end") continue;
    yield pathBytes === undefined ? Buffer.from(path) : fromBase64(pathBytes);
  }
}

function* inChunks(lines: readonly string[]): Generator<Buffer, void, undefined> {
  for (let at = 0; at < lines.length; at += chunkLines) yield Buffer.from(lines.slice(at, at + chunkLines).join(""));
}

async function* frames(batches: AsyncIterable<readonly object[]>): AsyncGenerator<{ frames: string }, void, undefined> {
  for await (const batch of batches) {
    yield { frames: batch.map((change) => `data: ${JSON.stringify(change)}\n\n`).join("") };
  }
}

async function wasDeleted(jail: FileAccess, path: string): Promise<boolean> {
  try {
    await deleteEntry(jail, { path }, true);
    return true;
  } catch (error) {
    if (error instanceof SandboxError && error.code === "not_found") return false;
    throw error;
  }
}
