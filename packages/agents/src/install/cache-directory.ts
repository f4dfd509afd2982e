import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** What can be downloaded again: `SANDBOX_AGENT_CACHE_DIR`, else the user's cache. Shared by all data directories. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env.SANDBOX_AGENT_CACHE_DIR) return resolve(env.SANDBOX_AGENT_CACHE_DIR);
  const xdg = env.XDG_CACHE_HOME;
  // XDG asks to ignore a path that is not absolute.
  const caches = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".cache");
  return join(caches, "sandbox-agent");
}
