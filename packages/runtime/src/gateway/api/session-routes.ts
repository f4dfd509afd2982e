import {
  CreateRuntimeSessionRequest,
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
import type { SessionRequest } from "../../sessions/session-request.ts";
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
    const { options, ...request } = await readJson(c, CreateRuntimeSessionRequest, { maxBytes: maxJsonBytes });
    const wanted = { ...options, ...request, owner, idempotencyKey: idempotencyKey(c) };
    const made = await sessions.createSession(wanted as SessionRequest);
    return c.json({ sessionId: made.sessionId, runtime: made.getRuntimeState() }, 201);
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
