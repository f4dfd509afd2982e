import { CreateSessionRequest, type CreateSessionResponse, UpdateSessionRequest } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { sessionInfo } from "../../sessions/session-info.ts";
import { type HttpContext, maxJsonBytes } from "../http-context.ts";
import { readJson } from "../validate.ts";

export function sessionRoutes(app: Hono, { sessions }: HttpContext): void {
  app.get("/v1/sessions", (c) => c.json({ sessions: sessions.list().map(sessionInfo) }));

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

  app.get("/v1/sessions/:sessionId", (c) => c.json(sessionInfo(sessions.get(c.req.param("sessionId")))));

  app.patch("/v1/sessions/:sessionId", async (c) => {
    const request = await readJson(c, UpdateSessionRequest, { maxBytes: maxJsonBytes });
    return c.json(sessionInfo(await sessions.update(c.req.param("sessionId"), request)));
  });

  app.delete("/v1/sessions/:sessionId", async (c) => {
    await sessions.delete(c.req.param("sessionId"));
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/interrupt", async (c) => {
    await sessions.get(c.req.param("sessionId")).interrupt();
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/terminate", async (c) => {
    await sessions.get(c.req.param("sessionId")).terminate();
    return c.body(null, 204);
  });
}
