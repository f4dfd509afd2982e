import { createHash } from "node:crypto";
import { CreateSessionRequest, DiffQuery, SessionListQuery, UpdateSessionRequest } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { sendCompressible, sendJson } from "../compression.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import { type ApiServices, maxCreateBytes, maxJsonBytes } from "../services.ts";
import { readJson, readQuery } from "../validate.ts";

const patchType = "text/x-diff";

export function sessionRoutes(app: Hono, { sessions }: ApiServices): void {
  app.get("/v1/sessions", async (c) => {
    const page = await sessions(c).page(readQuery(c, SessionListQuery, { repeatable: ["status"] }));
    return sendUnlessKnown(c, JSON.stringify(page));
  });

  app.post("/v1/sessions/:sessionId", async (c) => {
    const request = await readJson(c, CreateSessionRequest, { maxBytes: maxCreateBytes });
    return c.json(await sessions(c).create(c.req.param("sessionId"), request, idempotencyKey(c)));
  });

  app.get("/v1/sessions/:sessionId", async (c) => sendJson(c, await sessions(c).info(c.req.param("sessionId"))));

  app.patch("/v1/sessions/:sessionId", async (c) => {
    const service = sessions(c);
    await service.info(c.req.param("sessionId"));
    const request = await readJson(c, UpdateSessionRequest, { maxBytes: maxJsonBytes });
    return c.json(await service.update(c.req.param("sessionId"), request));
  });

  app.delete("/v1/sessions/:sessionId", async (c) => {
    await sessions(c).delete(c.req.param("sessionId"));
    return c.body(null, 204);
  });

  app.get("/v1/sessions/:sessionId/diff", async (c) => {
    const query = readQuery(c, DiffQuery);
    const asPatch = query.format === undefined && c.req.header("accept")?.startsWith(patchType);
    const wanted = asPatch ? { ...query, format: "patch" as const } : query;
    const { patch, ...diff } = await sessions(c).diff(c.req.param("sessionId"), wanted);
    if (!asPatch && query.format !== "patch") return sendJson(c, diff);
    if (diff.truncated) c.header("x-truncated", "true");
    return sendCompressible(c, new Uint8Array(patch ?? []), { "content-type": `${patchType}; charset=utf-8` });
  });

  app.post("/v1/sessions/:sessionId/interrupt", async (c) => {
    await sessions(c).interrupt(c.req.param("sessionId"));
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/terminate", async (c) => {
    await sessions(c).terminate(c.req.param("sessionId"));
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
