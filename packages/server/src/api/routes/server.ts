import { getHeapStatistics } from "node:v8";
import { buildOpenApi, HealthQuery } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { sendCompressible } from "../compression.ts";
import type { ApiServices } from "../services.ts";
import { readQuery } from "../validate.ts";
import type { Ui } from "./ui.ts";

export function serverRoutes(app: Hono, { version, kind, health, memory }: ApiServices, ui: Ui): void {
  let document: string | undefined;

  app.get("/", (c) => {
    const inspector = ui.isBuilt ? "/ui/" : undefined;
    // A browser asks for a page first of all; every other client gets what the API says.
    if (inspector && c.req.header("accept")?.startsWith("text/html")) return c.redirect(inspector, 302);
    const info = { name: "sandbox-agent", version, kind, api: "/v1", openapi: "/openapi.json" };
    return c.json(inspector ? { ...info, inspector } : info);
  });

  app.get("/v1/health", (c) => {
    const { details } = readQuery(c, HealthQuery);
    if (!details) return c.json(health());
    const { rss, heapUsed } = process.memoryUsage();
    const heapLimit = getHeapStatistics().heap_size_limit;
    return c.json({ ...health(), memory: { rss, heapUsed, heapLimit, ...memory() } });
  });

  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(buildOpenApi({ version }));
    return sendCompressible(c, document, { "content-type": "application/json" });
  });
}
