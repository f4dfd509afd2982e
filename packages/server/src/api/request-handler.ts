import { getRequestListener } from "@hono/node-server";
import type { RequestHandler } from "../listen.ts";
import { createApi } from "./api.ts";
import type { ApiServices } from "./services.ts";

/** The API as a Node listener. Rejects with what went wrong before a route was reached. */
export function createRequestHandler(services: ApiServices): RequestHandler {
  return getRequestListener(createApi(services).fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      throw error;
    },
  }) as RequestHandler;
}
