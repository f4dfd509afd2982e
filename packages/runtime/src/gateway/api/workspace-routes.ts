import { posix } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { sendJson } from "@sandbox-agent-ts/server/api";
import type { Context, Hono } from "hono";
import { listWorkspace } from "../../persistence/workspace-files.ts";
import type { ApiContext } from "./api-context.ts";

const files = "/api/sessions/:sessionId/files";

/** The files of a session: those in its sandbox, or what is kept of them where it has none. */
export function workspaceRoutes(app: Hono, api: ApiContext): void {
  const { store } = api.runtime;

  app.get(files, async (c) => {
    const session = await api.use(c, "session:read");
    if (session.activeSandbox) {
      const listed = await listWorkspace(session.activeSandbox);
      return sendJson(c, { files: listed.files.map(({ path }) => ({ path })), isWhole: listed.isWhole });
    }
    const kept = await store.files(session.sessionId);
    const shown = kept.map(({ path, content, modifiedAt }) => ({
      path,
      size: Buffer.byteLength(content),
      modified: new Date(modifiedAt).toISOString(),
    }));
    return sendJson(c, { files: shown, isWhole: true });
  });

  app.get(`${files}/*`, async (c) => {
    const session = await api.use(c, "session:read");
    const path = wantedPath(c);
    const sandbox = session.activeSandbox;
    if (!sandbox) {
      const found = (await store.files(session.sessionId)).find((file) => file.path === path);
      if (!found) throw noSuchFile(path);
      return c.body(found.content, 200, bytes);
    }
    const place = new URLSearchParams({ path: posix.join(sandbox.paths.workspace, path) });
    const response = await sandbox.fetch(`/v1/fs/file?${place}`, { method: "GET", signal: c.req.raw.signal });
    if (response.status === 404) throw noSuchFile(path);
    return new Response(response.body, { status: response.status, headers: response.ok ? bytes : problem });
  });
}

/** What a sandbox has is never shown as a page of ours. */
const bytes = {
  "content-type": "application/octet-stream",
  "content-disposition": "attachment",
  "x-content-type-options": "nosniff",
};
const problem = { "content-type": "application/problem+json" };

/** A path inside of the workspace, or none. */
function wantedPath(c: Context): string {
  const { pathname } = new URL(c.req.url);
  const encoded = pathname.split("/").slice("/api/sessions/id/files/".split("/").length - 1);
  const parts = encoded.map((part) => decoded(part));
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\0/]/.test(part));
  if (!isInside) throw new SandboxError("invalid_request", "A path of the workspace has no `.`, no `..` and no `//`.");
  return parts.join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function noSuchFile(path: string): SandboxError {
  return new SandboxError("not_found", `There is no file "${path}" in the workspace.`);
}
