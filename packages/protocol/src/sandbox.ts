import { z } from "zod";

export const SandboxRequest = z
  .looseObject({
    provider: z.string().min(1).nullish().describe("Who makes the sandbox"),
    image: z.string().min(1).nullish().describe("What it is made of, in the provider's own words"),
    network: z.enum(["on", "off"]).nullish(),
    memoryMiB: z.int().positive().nullish(),
    cpus: z.number().positive().nullish(),
    idleTimeoutMs: z.int().positive().nullish().describe("It is ended, or paused, when nothing happened for so long"),
  })
  .meta({
    id: "SandboxRequest",
    description: "The sandbox that a runtime makes for a session; a daemon runs none and says so in the log",
  });
export type SandboxRequest = z.infer<typeof SandboxRequest>;

export const SandboxStatus = z.enum(["starting", "ready", "unhealthy", "terminated"]).meta({ id: "SandboxStatus" });
export type SandboxStatus = z.infer<typeof SandboxStatus>;

export const SandboxState = z
  .object({
    sandboxId: z.string(),
    status: SandboxStatus,
    statusMessage: z.string().nullish(),
    restartCount: z.int().nonnegative(),
    lastHealthCheck: z.int().nonnegative().describe("Epoch milliseconds; 0 before the first"),
    generation: z.int().positive().describe("The session's first sandbox is 1, the one after it 2 …"),
    provider: z.string(),
  })
  .meta({ id: "SandboxState" });
export type SandboxState = z.infer<typeof SandboxState>;

export const SessionRuntimeState = z
  .object({
    isLoaded: z.boolean().describe("Whether the runtime holds the session in memory"),
    sandbox: SandboxState.nullable().describe("null while the session has none"),
  })
  .meta({ id: "SessionRuntimeState", description: "Where a session runs; only a runtime tells it" });
export type SessionRuntimeState = z.infer<typeof SessionRuntimeState>;
