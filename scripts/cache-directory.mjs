import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The person's, as the installer of agents has it (packages/agents/src/install/cache-directory.ts). */
export function cacheDirectory(env) {
  if (env.SANDBOX_AGENT_CACHE_DIR) return resolve(env.SANDBOX_AGENT_CACHE_DIR);
  const caches = isAbsolute(env.XDG_CACHE_HOME ?? "") ? env.XDG_CACHE_HOME : join(env.HOME || homedir(), ".cache");
  return join(caches, "sandbox-agent");
}
