import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { SandboxAgentSpawnOptions, SpawnedDaemon } from "./spawn-options.ts";

/** Stands in for `spawn.ts` where no process can be started. */
export async function spawnSandboxAgent(_options?: SandboxAgentSpawnOptions): Promise<SpawnedDaemon> {
  throw SandboxAgentError.withoutResponse(
    "A daemon can only be started from Node.js. Here, use SandboxAgent.connect({ baseUrl }) with the address of one that runs.",
  );
}
