import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import type { Action } from "../access/may.ts";
import type { AgentSession } from "../sessions/agent-session.ts";
import type { CheckpointStore } from "../store/checkpoint-store.ts";
import { readFromCheckpoint } from "./checkpoint-files.ts";
import { safeHeaders } from "./download-headers.ts";

type FileSession = Pick<AgentSession, "sandbox" | "existingSandbox" | "hasSandbox" | "settings">;

/** What a client may say to the daemon of a sandbox. */
const passedOn = ["content-type", "accept", "content-length", "if-none-match"];

/**
 * Files of a session are those in its sandbox: requests go to the daemon there, as they are. Without a session there is no
 * sandbox to look into. Who writes files gets one, who reads while there is none reads the last checkpoint.
 */
export function fileRoutes(
  app: Hono,
  /** The session, for those who may do this with it. */
  use: (c: Context, action: Action, sessionId: string) => Promise<FileSession>,
  store: CheckpointStore,
): void {
  app.all("/v1/fs/*", async (c) => {
    const url = new URL(c.req.url);
    const sessionId = url.searchParams.get("sessionId") ?? url.searchParams.get("session_id");
    if (!sessionId) {
      throw new SandboxError("invalid_request", "A runtime has files of sessions only. Say which: `?sessionId=…`.");
    }
    const { method } = c.req;
    // What to pack is too much for a query.
    const isReading = method === "GET" || method === "HEAD" || url.pathname === "/v1/fs/tar";
    const session = await use(c, isReading ? "session:read" : "session:write", sessionId);
    if (isReading && !session.hasSandbox) {
      return readFromCheckpoint(c, store, { sessionId, directory: session.settings.directory });
    }
    const sandbox = await (isReading ? session.existingSandbox() : session.sandbox());
    const response = await sandbox.fetch(`${url.pathname}${url.search}`, {
      method,
      headers: pick(c.req.raw.headers, passedOn),
      ...(c.req.raw.body ? { body: c.req.raw.body, duplex: "half" } : {}),
      signal: c.req.raw.signal,
    });
    return new Response(response.body, { status: response.status, headers: safeHeaders(response.headers) });
  });
}

function pick(headers: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}
