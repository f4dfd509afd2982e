import { PermissionReplyRequest, QuestionReplyRequest } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { type ApiServices, maxJsonBytes } from "../services.ts";
import { readJson } from "../validate.ts";

export function requestRoutes(app: Hono, { sessions }: ApiServices): void {
  app.post("/v1/sessions/:sessionId/questions/:questionId/reply", async (c) => {
    const { sessionId, questionId } = c.req.param();
    const service = sessions(c);
    await service.info(sessionId);
    const { answers } = await readJson(c, QuestionReplyRequest, { maxBytes: maxJsonBytes });
    await service.replyQuestion(sessionId, questionId, answers);
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/questions/:questionId/reject", async (c) => {
    const { sessionId, questionId } = c.req.param();
    await sessions(c).replyQuestion(sessionId, questionId, null);
    return c.body(null, 204);
  });

  app.post("/v1/sessions/:sessionId/permissions/:permissionId/reply", async (c) => {
    const { sessionId, permissionId } = c.req.param();
    const service = sessions(c);
    await service.info(sessionId);
    const reply = await readJson(c, PermissionReplyRequest, { maxBytes: maxJsonBytes });
    await service.replyPermission(sessionId, permissionId, reply);
    return c.body(null, 204);
  });
}
