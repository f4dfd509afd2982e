import { createHash } from "node:crypto";
import {
  CreateSessionRequest,
  type CreateSessionResponse,
  DiffQuery,
  SessionListQuery,
  type SessionListResponse,
  UpdateSessionRequest,
} from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { sessionInfo } from "../../sessions/session-info.ts";
import { sendCompressible, sendJson } from "../compression.ts";
import { type HttpContext, maxJsonBytes } from "../http-context.ts";
import { readJson, readQuery } from "../validate.ts";

const patchType = "text/x-diff";

export function sessionRoutes(app: Hono, { sessions }: HttpContext): void {
  app.get("/v1/sessions", (c) => {
    const page = sessions.page(readQuery(c, SessionListQuery, { repeatable: ["status"] }));
    const { nextCursor } = page;
    const answer: SessionListResponse = {
      sessions: page.sessions.map(sessionInfo),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
    return sendUnlessKnown(c, JSON.stringify(answer));
  });

  app.post("/v1/sessions/:sessionId", async (c) => {
    const request = await readJson(c, CreateSessionRequest, { maxBytes: maxJsonBytes });
    const { session, problem } = await sessions.create(c.req.param("sessionId"), request);
    const { nativeSessionId } = session.recorder.state;
    const answer: CreateSessionResponse = {
      healthy: problem === undefined,
      ...(problem ? { error: problem.toAgentError() } : {}),
      ...(nativeSessionId === null ? {} : { nativeSessionId }),
    };
    return c.json(answer);
  });

  app.get("/v1/sessions/:sessionId", (c) => sendJson(c, sessionInfo(sessions.get(c.req.param("sessionId")))));

  app.patch("/v1/sessions/:sessionId", async (c) => {
    const request = await readJson(c, UpdateSessionRequest, { maxBytes: maxJsonBytes });
    return c.json(sessionInfo(await sessions.update(c.req.param("sessionId"), request)));
  });

  app.delete("/v1/sessions/:sessionId", async (c) => {
    await sessions.delete(c.req.param("sessionId"));
    return c.body(null, 204);
  });

  app.get("/v1/sessions/:sessionId/diff", async (c) => {
    const session = sessions.get(c.req.param("sessionId"));
    const query = readQuery(c, DiffQuery);
    const asPatch = query.format === undefined && c.req.header("accept")?.startsWith(patchType);
    const { patch, ...diff } = await session.changes.diff(asPatch ? { ...query, format: "patch" } : query);
    if (!asPatch && query.format !== "patch") return sendJson(c, diff);
    if (diff.truncated) c.header("x-truncated", "true");
    return sendCompressible(c, new Uint8Array(patch ?? []), { "content-type": `${patchType}; charset=utf-8` });
  });

  app.post("/v1/sessions/:sessionId/interrupt", async (c) => {
    await sessions.get(c.req.param("sessionId")).interrupt();
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/terminate", async (c) => {
    const sessionId = c.req.param("sessionId");
    if (!sessions.cancelCreate(sessionId)) await sessions.get(sessionId).terminate();
    return c.body(null, 204);
  });
}

/** JSON with an ETag, or 304 for a client that names it. Weak, because a compressed answer means the same. */
async function sendUnlessKnown(c: Context, json: string): Promise<Response> {
  const tag = `"${createHash("sha1").update(json).digest("base64url")}"`;
  const headers = { etag: `W/${tag}`, "cache-control": "private, no-cache" };
  const known = c.req.header("if-none-match")?.split(",") ?? [];
  const isKnown = known.some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === tag);
  if (isKnown) return c.body(null, 304, headers);
  return sendCompressible(c, json, { ...headers, "content-type": "application/json" });
}
