import { buildOpenApi } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { sendCompressible } from "../compression.ts";
import type { HttpContext } from "../http-context.ts";
import type { Ui } from "./ui.ts";

export function serverRoutes(app: Hono, { version, health }: HttpContext, ui: Ui): void {
  let document: string | undefined;

  app.get("/", (c) => {
    const inspector = ui.isBuilt ? "/ui/" : undefined;
    // A browser asks for a page first of all; every other client gets what the API says.
    if (inspector && c.req.header("accept")?.startsWith("text/html")) return c.redirect(inspector, 302);
    const info = { name: "sandbox-agent", version, api: "/v1", openapi: "/openapi.json" };
    return c.json(inspector ? { ...info, inspector } : info);
  });

  app.get("/v1/health", (c) => c.json(health()));

  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(buildOpenApi({ version }));
    return sendCompressible(c, document, { "content-type": "application/json" });
  });
}
