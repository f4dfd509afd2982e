import { Hono } from "hono";
import type { HttpContext } from "./http-context.ts";
import { problemResponse, toClientError } from "./problem.ts";

export interface AppOptions {
  readonly version: string;
  readonly startedAt: number;
  /** Everything behind the first screen; loaded when a request needs it, so that the daemon is up at once. */
  readonly context: () => Promise<HttpContext>;
  readonly onError: (error: unknown) => void;
}

/** The outermost routes: what a client may see before anything else of the daemon is loaded. */
export function createApp(options: AppOptions): Hono {
  const { version, startedAt } = options;
  let api: Promise<Hono> | undefined;
  const loadApi = async () => {
    const [{ createApi }, context] = await Promise.all([import("./api.ts"), options.context()]);
    return createApi(context);
  };
  const app = new Hono();
  app.onError((error, c) => {
    const problem = toClientError(error);
    if (problem.status >= 500) options.onError(error);
    return problemResponse(problem, c.req.path);
  });
  app.get("/v1/health", (c) => c.json({ status: "ok", version, uptimeMs: Date.now() - startedAt }));
  app.get("/", (c) => c.json({ name: "sandbox-agent", version, api: "/v1", openapi: "/openapi.json" }));
  app.all("*", async (c) => {
    api ??= loadApi();
    return (await api).fetch(c.req.raw, c.env);
  });
  return app;
}
