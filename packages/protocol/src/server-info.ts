import { z } from "zod";

export const HealthResponse = z
  .object({ status: z.literal("ok"), version: z.string().optional(), uptimeMs: z.int().nonnegative().optional() })
  .meta({ id: "HealthResponse" });
export type HealthResponse = z.infer<typeof HealthResponse>;

export const ServerInfo = z
  .object({
    name: z.literal("sandbox-agent"),
    version: z.string(),
    api: z.string().describe("Where the API lives"),
    openapi: z.string().describe("Where this document lives"),
    inspector: z.string().nullish().describe("Where the web inspector lives, if this daemon serves one"),
  })
  .meta({ id: "ServerInfo" });
export type ServerInfo = z.infer<typeof ServerInfo>;
