import { posix } from "node:path";
import { FsTarRequest, SandboxError } from "@sandbox-agent-ts/protocol";
import { readJson } from "@sandbox-agent-ts/server/api";
import type { Context } from "hono";
import type { CheckpointStore } from "../store/checkpoint-store.ts";
import { CheckpointFiles, described, nothingAt } from "../workspace/checkpoint-files.ts";
import { workspaceTar } from "../workspace/workspace-tar.ts";
import { downloadHeaders } from "./download-headers.ts";
import { sendBytes } from "./send-bytes.ts";

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
      return sendFile(await files.content(path, asked));
    case "/v1/fs/manifest":
      return sendBytes(files.manifest(path), { "content-type": "application/x-ndjson" });
    case "/v1/fs/tar": {
      const { paths, pathBytes } = await readJson(c, FsTarRequest, { optional: true, maxBytes: maxBodyBytes });
      const chosen = paths || pathBytes ? new Set([...(paths ?? []), ...(pathBytes ?? []).map(textOf)]) : undefined;
      return sendBytes(workspaceTar(store, files.below(path, chosen)), { "content-type": "application/x-tar" });
    }
    default:
      throw noFiles(sessionId);
  }
}

function sendFile({ bytes, size }: { bytes: AsyncIterable<Uint8Array>; size: number }): Response {
  return sendBytes(bytes, { ...downloadHeaders, "content-length": String(size) });
}

/** A path as a client names it, from the top of the workspace on; undefined where it is not in it. */
function placeIn(workspace: string, base: string, path: string): string | undefined {
  const place = posix.relative(workspace, posix.resolve(base, path));
  return place === ".." || place.startsWith("../") ? undefined : place;
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

function noFiles(sessionId: string): SandboxError {
  const sentence = `Session "${sessionId}" has no sandbox now, and no files were kept. Its next message makes one.`;
  return new SandboxError("not_found", sentence, { sessionId });
}
