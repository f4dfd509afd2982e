import { createHash, randomUUID } from "node:crypto";
import {
  CreateRuntimeSessionRequest,
  type CreateSessionRequest,
  RuntimeMessageRequest,
  RuntimeSessionListQuery,
  UpdateRuntimeSessionRequest,
} from "@sandbox-agent-ts/protocol";
import {
  idempotencyKey,
  maxJsonBytes,
  maxMessageBytes,
  readJson,
  readQuery,
  sendJson,
} from "@sandbox-agent-ts/server/api";
import type { Hono } from "hono";
import { ensureMay } from "../../access/may.ts";
import type { ApiContext } from "./api-context.ts";

const session = "/api/sessions/:sessionId";

export function sessionRoutes(app: Hono, api: ApiContext): void {
  const { sessions } = api.runtime;

  app.get("/api/sessions", async (c) => {
    const principal = api.principalOf(c);
    ensureMay(principal, "sessions:list");
    return sendJson(c, await sessions.list.items(readQuery(c, RuntimeSessionListQuery), principal));
  });

  app.post("/api/sessions", async (c) => {
    const { principal: owner, ...principal } = api.principalOf(c);
    ensureMay({ principal: owner, ...principal }, "sessions:create");
    const request = await readJson(c, CreateRuntimeSessionRequest, { maxBytes: maxJsonBytes });
    const key = idempotencyKey(c);
    const sessionId = request.sessionId ?? newSessionId(owner, key);
    const made = await sessions.createSession(sessionId, createRequest(request), { owner, idempotencyKey: key });
    return c.json({ sessionId, runtime: made.getRuntimeState() }, 201);
  });

  app.get(session, async (c) => sendJson(c, await (await api.use(c, "session:read")).getState()));

  app.patch(session, async (c) => {
    await api.find(c, "session:write");
    const { name, metadata } = await readJson(c, UpdateRuntimeSessionRequest, { maxBytes: maxJsonBytes });
    const used = await api.use(c, "session:write");
    await used.keep({
      ...(name === undefined ? {} : { title: name }),
      ...(metadata === undefined ? {} : { metadata: metadata ?? undefined }),
    });
    return c.json(used.getListData());
  });

  app.delete(session, async (c) => {
    await sessions.deleteSession((await api.find(c, "session:manage")).sessionId);
    return c.body(null, 204);
  });

  app.post(`${session}/messages`, async (c) => {
    await api.find(c, "session:write");
    const request = await readJson(c, RuntimeMessageRequest, { maxBytes: maxMessageBytes });
    const { content, attachments, idempotencyKey: key = idempotencyKey(c) } = request;
    const used = await api.use(c, "session:write");
    const { turnId } = await used.sendMessage({ message: content, ...(attachments ? { attachments } : {}) }, key);
    return c.json({ turnId }, 202);
  });
}

/** Random, or the same for the same key of the same principal, so that a retry finds what the first try made. */
function newSessionId(owner: string, key: string | undefined): string {
  if (key === undefined) return `ses_${randomUUID()}`;
  return `ses_${createHash("sha256")
    .update(JSON.stringify([owner, key]))
    .digest("base64url")}`;
}

function createRequest(request: CreateRuntimeSessionRequest): CreateSessionRequest {
  const { type, agent, agentProfileReference: profile, name, metadata, sandbox, options } = request;
  return {
    ...options,
    agent: agent ?? agentOf(type!),
    ...(profile ? { profile } : {}),
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

/** Spec 003 names an agent with what it is driven by. */
function agentOf(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-")
    .replace(/-(agent-)?(sdk|cli)$/, "");
}
