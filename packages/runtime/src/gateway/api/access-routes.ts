import { AuditQuery, buildRuntimeOpenApi, SandboxError, SessionTokenRequest } from "@sandbox-agent-ts/protocol";
import { maxJsonBytes, readJson, readQuery, sendJson } from "@sandbox-agent-ts/server/api";
import type { Hono } from "hono";
import { ensureMay } from "../../access/may.ts";
import type { ApiContext } from "./api-context.ts";

const defaultPageSize = 100;

/** Tokens for pages, what a principal has, and who did what. */
export function accessRoutes(app: Hono, api: ApiContext, version: string): void {
  const { access, audit, quotas, store } = api.runtime;
  let document: object | undefined;

  app.post("/api/sessions/:sessionId/tokens", async (c) => {
    const session = await api.find(c, "session:manage");
    const { scope, expiresIn } = await readJson(c, SessionTokenRequest, { maxBytes: maxJsonBytes });
    const made = access.issueToken(api.principalOf(c), session, { scope, expiresIn });
    return c.json({ ...made, scope }, 201);
  });

  app.get("/api/usage", async (c) => {
    const { principal } = api.principalOf(c);
    const { sandboxes, ...used } = await quotas.usage(principal);
    return c.json({ principal, used: { ...used, sandboxes: sandboxes.length }, limits: quotas.of(principal) });
  });

  app.get("/api/audit", async (c) => {
    ensureMay(api.principalOf(c), "runtime:admin");
    const { limit = defaultPageSize, cursor, principal, sessionId } = readQuery(c, AuditQuery);
    await audit.settled();
    const before = cursor === undefined ? undefined : placeOf(cursor);
    const found = await store.audit({ principal, sessionId, before, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const hasMore = found.length > limit;
    return sendJson(c, { entries, ...(hasMore ? { nextCursor: `${entries.at(-1)!.id}` } : {}) });
  });

  app.get("/api/openapi.json", (c) => {
    document ??= buildRuntimeOpenApi({ version });
    return sendJson(c, document);
  });
}

function placeOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new SandboxError("invalid_request", "The cursor is not one of `nextCursor`.");
}
