import { agentRoutes } from "./agent-routes.ts";
import { fsRoutes } from "./fs-routes.ts";
import type { Route } from "./route.ts";
import { serverRoutes } from "./server-routes.ts";
import { sessionRoutes } from "./session-routes.ts";

/** Every operation of the HTTP API. Daemon, OpenAPI document, SDK and CLI are held to this table by tests. */
export const routes = [
  ...serverRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...fsRoutes,
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]["id"];
