import { Hono } from "hono";
import { problemResponse, toClientError } from "../problem.ts";
import { noSuchRoute } from "./no-such-route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { eventRoutes } from "./routes/events.ts";
import { messageRoutes } from "./routes/messages.ts";
import { requestRoutes } from "./routes/requests.ts";
import { serverRoutes } from "./routes/server.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { Ui, uiRoutes } from "./routes/ui.ts";
import type { ApiServices } from "./services.ts";

/** The API, one resource per file; whatever a route throws becomes a problem here. */
export function createApi(services: ApiServices): Hono {
  const api = new Hono();
  api.onError((error, c) => {
    const problem = toClientError(error);
    if (problem.status >= 500) services.log.error({ err: error }, "a request failed");
    return problemResponse(problem, c.req.path, services.redact);
  });
  api.notFound((c) => {
    throw noSuchRoute(c.req.method, c.req.path, services.moreRoutes);
  });
  services.before?.(api);
  const ui = new Ui(services.ui);
  serverRoutes(api, services, ui);
  uiRoutes(api, ui);
  agentRoutes(api, services);
  sessionRoutes(api, services);
  messageRoutes(api, services);
  eventRoutes(api, services);
  requestRoutes(api, services);
  services.files(api);
  services.others?.(api);
  return api;
}
