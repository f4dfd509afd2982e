import { Hono } from "hono";
import type { HttpContext } from "./http-context.ts";
import { noSuchRoute } from "./no-such-route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { messageRoutes } from "./routes/messages.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { requestRoutes } from "./routes/requests.ts";
import { sessionRoutes } from "./routes/sessions.ts";

/** The API proper, one resource per file. Errors go up to the app. */
export function createApi(context: HttpContext): Hono {
  const api = new Hono();
  api.onError((error) => {
    throw error;
  });
  api.notFound((c) => {
    throw noSuchRoute(c.req.method, c.req.path);
  });
  openApiRoute(api, context);
  agentRoutes(api, context);
  sessionRoutes(api, context);
  messageRoutes(api, context);
  eventRoutes(api, context);
  requestRoutes(api, context);
  fileRoutes(api, context.files);
  return api;
}
