import { z } from "zod";
import { HealthResponse, ServerInfo } from "../server-info.ts";
import { HealthQuery } from "./queries.ts";
import type { Route } from "./route.ts";

const json = "application/json";

export const serverRoutes = [
  {
    id: "getServerInfo",
    method: "GET",
    path: "/",
    tag: "server",
    summary: "What this server is",
    public: true,
    response: { status: 200, type: json, schema: ServerInfo },
    errors: [],
  },
  {
    id: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    tag: "server",
    summary: "This API as an OpenAPI 3.1 document",
    response: { status: 200, type: json, schema: z.record(z.string(), z.unknown()) },
    errors: [],
  },
  {
    id: "getHealth",
    method: "GET",
    path: "/v1/health",
    tag: "server",
    summary: "Is the daemon up?",
    public: true,
    query: HealthQuery,
    response: { status: 200, type: json, schema: HealthResponse },
    errors: ["invalid_request", "token_invalid"],
  },
] as const satisfies readonly Route[];
