import { PermissionReplyRequest, QuestionReplyRequest } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { type HttpContext, maxJsonBytes } from "../http-context.ts";
import { readJson } from "../validate.ts";

export function requestRoutes(app: Hono, { sessions }: HttpContext): void {
  app.post("/v1/sessions/:sessionId/questions/:questionId/reply", async (c) => {
    const { sessionId, questionId } = c.req.param();
    const session = sessions.get(sessionId);
    const { answers } = await readJson(c, QuestionReplyRequest, { maxBytes: maxJsonBytes });
    await session.replyQuestion(questionId, answers);
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/questions/:questionId/reject", async (c) => {
    const { sessionId, questionId } = c.req.param();
    await sessions.get(sessionId).replyQuestion(questionId, null);
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/permissions/:permissionId/reply", async (c) => {
    const { sessionId, permissionId } = c.req.param();
    const session = sessions.get(sessionId);
    const reply = await readJson(c, PermissionReplyRequest, { maxBytes: maxJsonBytes });
    await session.replyPermission(permissionId, reply);
    return c.body(null, 204);
  });
}
