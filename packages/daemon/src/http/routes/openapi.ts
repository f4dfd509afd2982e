import { buildOpenApi } from "@sandbox-agent/protocol";
import type { Hono } from "hono";
import type { HttpContext } from "../http-context.ts";

export function openApiRoute(app: Hono, { version }: HttpContext): void {
  let document: ReturnType<typeof buildOpenApi> | undefined;
  app.get("/openapi.json", (c) => {
    document ??= buildOpenApi({ version });
    return c.json(document);
  });
}
