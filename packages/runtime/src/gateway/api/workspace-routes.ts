import { posix } from "node:path";
import {
  CheckpointDiffQuery,
  type RuntimeCheckpoint,
  RuntimeFilesQuery,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import { readQuery, sendJson } from "@sandbox-agent-ts/server/api";
import type { Context, Hono } from "hono";
import { listWorkspace } from "../../persistence/workspace-files.ts";
import type { StoredCheckpoint } from "../../store/checkpoint-store.ts";
import { checkpointDiff } from "../../workspace/checkpoint-diff.ts";
import { checkpointEntries } from "../../workspace/checkpoint-entries.ts";
import { CheckpointFiles } from "../../workspace/checkpoint-files.ts";
import type { WorkspaceSummary } from "../../workspace/read-manifest.ts";
import { keptCheckpoints } from "../../workspace/session-workspace.ts";
import { workspaceTar } from "../../workspace/workspace-tar.ts";
import { downloadHeaders } from "../download-headers.ts";
import { sendBytes } from "../send-bytes.ts";
import type { ApiContext } from "./api-context.ts";

const session = "/api/sessions/:sessionId";
const files = `${session}/files`;
const maxListed = 5_000;

/** The files of a session: those in its sandbox, or as a checkpoint has them. */
export function workspaceRoutes(app: Hono, api: ApiContext): void {
  const { store } = api.runtime;
  const { checkpoints } = store;

  /** The checkpoint that was asked for; the newest where none was. */
  const checkpointOf = async (sessionId: string, number?: number): Promise<StoredCheckpoint | undefined> => {
    const all = await checkpoints.checkpoints(sessionId);
    const found = number === undefined ? all[0] : all.find((checkpoint) => checkpoint.number === number);
    if (!found && number !== undefined) throw noSuchCheckpoint(number);
    return found;
  };

  app.get(files, async (c) => {
    const used = await api.use(c, "session:read");
    const { checkpoint: number } = readQuery(c, RuntimeFilesQuery);
    if (number === undefined && used.activeSandbox) {
      const listed = await listWorkspace(used.activeSandbox);
      return sendJson(c, { files: listed.files.map(({ path }) => ({ path })), isWhole: listed.isWhole });
    }
    const checkpoint = await checkpointOf(used.sessionId, number);
    if (checkpoint) return sendJson(c, await listCheckpoint(api, used.sessionId, checkpoint));
    const kept = await store.files(used.sessionId);
    const shown = kept.map(({ path, content, modifiedAt }) => ({
      path,
      size: Buffer.byteLength(content),
      modified: new Date(modifiedAt).toISOString(),
    }));
    return sendJson(c, { files: shown, isWhole: true });
  });

  app.get(`${files}/*`, async (c) => {
    const used = await api.use(c, "session:read");
    const { checkpoint: number } = readQuery(c, RuntimeFilesQuery);
    const path = wantedPath(c);
    const sandbox = number === undefined ? used.activeSandbox : undefined;
    if (!sandbox) {
      const checkpoint = await checkpointOf(used.sessionId, number);
      if (checkpoint) {
        const content = await new CheckpointFiles(checkpoints, used.sessionId, checkpoint).content(path, path);
        return sendBytes(content.bytes, { ...downloadHeaders, "content-length": `${content.size}` });
      }
      const kept = (await store.files(used.sessionId)).find((file) => file.path === path);
      if (!kept) throw noSuchFile(path);
      return c.body(kept.content, 200, downloadHeaders);
    }
    const place = new URLSearchParams({ path: posix.join(sandbox.paths.workspace, path) });
    const response = await sandbox.fetch(`/v1/fs/file?${place}`, { method: "GET", signal: c.req.raw.signal });
    if (response.status === 404) throw noSuchFile(path);
    return new Response(response.body, { status: response.status, headers: response.ok ? downloadHeaders : problem });
  });

  app.get(`${session}/checkpoints`, async (c) => {
    const { sessionId } = await api.find(c, "session:read");
    const all = await checkpoints.checkpoints(sessionId);
    return sendJson(c, { checkpoints: all.map(shownCheckpoint), kept: keptCheckpoints });
  });

  app.get(`${session}/checkpoints/:checkpoint/tar`, async (c) => {
    const { sessionId } = await api.find(c, "session:read");
    const { number } = (await checkpointOf(sessionId, numberIn(c, "checkpoint")))!;
    const name = `attachment; filename="workspace-${number}.tar"`;
    const headers = { ...downloadHeaders, "content-type": "application/x-tar", "content-disposition": name };
    return sendBytes(workspaceTar(checkpoints, checkpointEntries(checkpoints, sessionId, number)), headers);
  });

  app.get(`${session}/checkpoints/:checkpoint/diff/:other`, async (c) => {
    const { sessionId } = await api.find(c, "session:read");
    const { format } = readQuery(c, CheckpointDiffQuery);
    const { number: from } = (await checkpointOf(sessionId, numberIn(c, "checkpoint")))!;
    const { number: to } = (await checkpointOf(sessionId, numberIn(c, "other")))!;
    return sendJson(c, await checkpointDiff(checkpoints, sessionId, { from, to, withText: format !== "summary" }));
  });
}

async function listCheckpoint({ runtime }: ApiContext, sessionId: string, { number }: StoredCheckpoint) {
  const listed: object[] = [];
  for await (const entry of checkpointEntries(runtime.store.checkpoints, sessionId, number)) {
    if (entry.type !== "file") continue;
    if (listed.length === maxListed) return { files: listed, isWhole: false, checkpoint: number };
    const { path, size, mtime } = entry;
    listed.push({ path, size, modified: new Date(mtime).toISOString() });
  }
  return { files: listed, isWhole: true, checkpoint: number };
}

function shownCheckpoint({ number, sequence, at, summary }: StoredCheckpoint): RuntimeCheckpoint {
  const { entries, bytes, leftOut, examples } = summary as WorkspaceSummary;
  return { number, sequence, at, entries, bytes, leftOut, leftOutExamples: [...examples] };
}

const problem = { "content-type": "application/problem+json" };

function numberIn(c: Context, name: string): number {
  const text = c.req.param(name) ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new SandboxError("invalid_request", `${JSON.stringify(text)} is not the number of a checkpoint.`);
}

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

function noSuchCheckpoint(number: number): SandboxError {
  const sentence = `There is no checkpoint ${number} of this session, or not any more. \`GET …/checkpoints\` lists them.`;
  return new SandboxError("not_found", sentence);
}
