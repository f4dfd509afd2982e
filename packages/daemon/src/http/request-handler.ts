import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApi } from "./api.ts";
import type { HttpContext } from "./http-context.ts";

export type RequestHandler = (...request: Parameters<RequestListener>) => Promise<unknown>;

/** The API as a Node listener. Rejects with what went wrong before a route was reached. */
export function createRequestHandler(context: HttpContext): RequestHandler {
  return getRequestListener(createApi(context).fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      throw error;
    },
  }) as RequestHandler;
}
