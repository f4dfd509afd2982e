import { z } from "zod";

const size = z.int().nonnegative();

export const MemoryUse = z
  .object({
    rss: size.describe("Bytes of the whole process"),
    heapUsed: size.describe("Bytes"),
    heapLimit: size.describe("Bytes; more ends the daemon"),
    sessions: size,
    openText: size.describe("Characters that the open items of all sessions hold"),
    maxOpenText: size.describe("Characters; items that stream more are cut"),
    queuedText: size.describe("Characters of messages that wait for their turn"),
  })
  .meta({ id: "MemoryUse", description: "What the daemon holds in memory" });
export type MemoryUse = z.infer<typeof MemoryUse>;

export const HealthResponse = z
  .object({
    status: z.literal("ok"),
    version: z.string().optional(),
    uptimeMs: z.int().nonnegative().optional(),
    memory: MemoryUse.nullish().describe("With `details`"),
  })
  .meta({ id: "HealthResponse" });
export type HealthResponse = z.infer<typeof HealthResponse>;

export const ServerInfo = z
  .object({
    name: z.literal("sandbox-agent"),
    version: z.string(),
    kind: z
      .enum(["daemon", "runtime"])
      .nullish()
      .describe("Whether agents run where this answers, or each session in a sandbox; without it, a daemon"),
    api: z.string().describe("Where the API lives"),
    openapi: z.string().describe("Where this document lives"),
    inspector: z.string().nullish().describe("Where the web inspector lives, if this daemon serves one"),
  })
  .meta({ id: "ServerInfo" });
export type ServerInfo = z.infer<typeof ServerInfo>;
