import type { Context, Hono } from "hono";
import type { Principal } from "../../access/principal.ts";
import type { AgentRuntime } from "../../runtime.ts";
import { accessRoutes } from "./access-routes.ts";
import { ApiContext } from "./api-context.ts";
import { controlRoutes } from "./control-routes.ts";
import { profileRoutes } from "./profile-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { workspaceRoutes } from "./workspace-routes.ts";

/** The operations of `runtimeRoutes`: spec 003's REST, and what a runtime has besides. */
export function apiRoutes(
  app: Hono,
  runtime: AgentRuntime,
  { principalOf, version }: { readonly principalOf: (c: Context) => Principal; readonly version: string },
): void {
  const api = new ApiContext(runtime, principalOf);
  sessionRoutes(app, api);
  controlRoutes(app, api);
  workspaceRoutes(app, api);
  profileRoutes(app, runtime.profiles);
  accessRoutes(app, api, version);
}
