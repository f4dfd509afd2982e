import {
  PermissionReplyRequest,
  QuestionAnswerRequest,
  RuntimeSessionOptions,
  type SessionInfo,
} from "@sandbox-agent-ts/protocol";
import { maxJsonBytes, readJson } from "@sandbox-agent-ts/server/api";
import type { Hono } from "hono";
import type { ApiContext } from "./api-context.ts";

const session = "/api/sessions/:sessionId";

/** What a session does and where it runs, and the answers to what it asks. */
export function controlRoutes(app: Hono, api: ApiContext): void {
  const { sessions } = api.runtime;
  const stateOf = async (sessionId: string) => {
    const { runtime } = await sessions.info(sessionId);
    return { sessionId, runtime: runtime ?? { isLoaded: false, sandbox: null } };
  };

  app.post(`${session}/interrupt`, async (c) => {
    await (await api.use(c, "session:write")).interrupt();
    return c.body(null, 204);
  });

  app.get(`${session}/options`, async (c) => {
    const { sessionId } = await api.find(c, "session:read");
    return c.json(optionsOf(await sessions.info(sessionId)));
  });

  app.patch(`${session}/options`, async (c) => {
    await api.find(c, "session:write");
    const changes = await readJson(c, RuntimeSessionOptions, { maxBytes: maxJsonBytes });
    const info = await (await api.use(c, "session:write")).update(changes);
    // What was sent to the sandbox comes back as an event, which may not be here yet.
    return c.json({ ...optionsOf(info), ...changes });
  });

  app.post(`${session}/unload`, async (c) => {
    const { sessionId } = await api.find(c, "session:manage");
    await sessions.unloadSession(sessionId);
    return c.json(await stateOf(sessionId));
  });

  app.post(`${session}/sync`, async (c) => {
    const { sessionId } = await api.find(c, "session:write");
    await sessions.syncSession(sessionId);
    return c.json(await stateOf(sessionId));
  });

  app.post(`${session}/sandbox/terminate`, async (c) => {
    const used = await api.use(c, "session:manage");
    await used.deactivateSandbox("The sandbox was ended on request.");
    return c.json(await stateOf(used.sessionId));
  });

  app.post(`${session}/permissions/:permissionId`, async (c) => {
    await api.find(c, "session:write");
    const reply = await readJson(c, PermissionReplyRequest, { maxBytes: maxJsonBytes });
    await (await api.use(c, "session:write")).replyPermission(c.req.param("permissionId"), reply);
    return c.body(null, 204);
  });

  app.post(`${session}/questions/:questionId`, async (c) => {
    await api.find(c, "session:write");
    const { answers } = await readJson(c, QuestionAnswerRequest, { maxBytes: maxJsonBytes });
    await (await api.use(c, "session:write")).replyQuestion(c.req.param("questionId"), answers);
    return c.body(null, 204);
  });
}

function optionsOf(info: SessionInfo): RuntimeSessionOptions {
  const { agentMode, permissionMode, model = null, variant = null, policy = null, requestTimeout = null } = info;
  return { agentMode, permissionMode, model, variant, policy, requestTimeout };
}
