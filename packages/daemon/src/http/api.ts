import { Hono } from "hono";
import type { HttpContext } from "./http-context.ts";
import { noSuchRoute } from "./no-such-route.ts";
import { problemResponse, toClientError } from "./problem.ts";
import { agentRoutes } from "./routes/agents.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { messageRoutes } from "./routes/messages.ts";
import { requestRoutes } from "./routes/requests.ts";
import { serverRoutes } from "./routes/server.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { Ui, uiRoutes } from "./routes/ui.ts";

/** The API, one resource per file; whatever a route throws becomes a problem here. */
export function createApi(context: HttpContext): Hono {
  const api = new Hono();
  api.onError((error, c) => {
    const problem = toClientError(error);
    if (problem.status >= 500) context.log.error({ err: error }, "a request failed");
    return problemResponse(problem, c.req.path);
  });
  api.notFound((c) => {
    throw noSuchRoute(c.req.method, c.req.path);
  });
  const ui = new Ui(context.ui);
  serverRoutes(api, context, ui);
  uiRoutes(api, ui);
  agentRoutes(api, context);
  sessionRoutes(api, context);
  messageRoutes(api, context);
  eventRoutes(api, context);
  requestRoutes(api, context);
  fileRoutes(api, context.files);
  return api;
}
