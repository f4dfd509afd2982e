import {
  FsDeleteQuery,
  FsMoveRequest,
  FsOptionalPathQuery,
  FsPathQuery,
  FsSessionQuery,
  FsUploadQuery,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import { mediaType, readJson, readQuery, sendJson } from "@sandbox-agent-ts/server/api";
import type { Context, Hono } from "hono";
import { deleteEntry } from "../../files/delete-entry.ts";
import type { FileAccess } from "../../files/file-access.ts";
import { listEntries } from "../../files/list-entries.ts";
import { makeDirectory } from "../../files/make-directory.ts";
import { moveEntry } from "../../files/move-entry.ts";
import { readFile } from "../../files/read-file.ts";
import { statEntry } from "../../files/stat-entry.ts";
import { uploadTar } from "../../files/tar-upload.ts";
import { writeFile } from "../../files/write-file.ts";

const maxMoveBytes = 64 * 1024;

/** The filesystem API. Bodies of files and archives are streamed both ways, whatever their size. */
export function fileRoutes(app: Hono, access: FileAccess): void {
  app.get("/v1/fs/entries", async (c) => sendJson(c, await listEntries(access, optionalTarget(c))));
  app.get("/v1/fs/file", (c) => sendFile(c, access));
  app.put("/v1/fs/file", async (c) => {
    return c.json(await writeFile(access, readQuery(c, FsPathQuery), c.req.raw.body ?? []));
  });
  app.delete("/v1/fs/entry", async (c) => {
    const { recursive, ...target } = readQuery(c, FsDeleteQuery);
    return c.json(await deleteEntry(access, target, recursive ?? false));
  });
  app.post("/v1/fs/mkdir", async (c) => c.json(await makeDirectory(access, readQuery(c, FsPathQuery))));
  app.post("/v1/fs/move", async (c) => {
    const { sessionId } = readQuery(c, FsSessionQuery);
    const { from, to, overwrite } = await readJson(c, FsMoveRequest, { maxBytes: maxMoveBytes });
    return c.json(await moveEntry(access, { from, to, overwrite: overwrite ?? false, sessionId }));
  });
  app.get("/v1/fs/stat", async (c) => c.json(await statEntry(access, readQuery(c, FsPathQuery))));
  app.post("/v1/fs/upload-batch", async (c) => {
    const { path = ".", sessionId, exact } = readQuery(c, FsUploadQuery);
    if (mediaType(c) !== "application/x-tar") throw notTar();
    return c.json(await uploadTar(access, { path, sessionId }, c.req.raw.body ?? [], exact ?? false));
  });
}

function optionalTarget(c: Context) {
  const { path = ".", sessionId } = readQuery(c, FsOptionalPathQuery);
  return { path, sessionId };
}

async function sendFile(c: Context, access: FileAccess): Promise<Response> {
  const file = await readFile(access, readQuery(c, FsPathQuery));
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(file.size),
    "x-content-type-options": "nosniff",
  };
  // Hono answers HEAD through this handler and drops the body without cancelling it.
  if (c.req.method !== "HEAD") return c.body(file.stream(c.req.raw.signal), 200, headers);
  await file.close();
  return c.body(null, 200, headers);
}

function notTar(): SandboxError {
  return new SandboxError("unsupported_media_type", "Send an uncompressed tar, with content-type: application/x-tar.");
}
