import { buildOpenApi } from "@sandbox-agent/protocol";
import type { Hono } from "hono";
import type { HttpContext } from "../http-context.ts";

export function serverRoutes(app: Hono, { version, health }: HttpContext): void {
  let document: ReturnType<typeof buildOpenApi> | undefined;

  app.get("/", (c) => c.json({ name: "sandbox-agent", version, api: "/v1", openapi: "/openapi.json" }));

  app.get("/v1/health", (c) => c.json(health()));

  app.get("/openapi.json", (c) => {
    document ??= buildOpenApi({ version });
    return c.json(document);
  });
}
