const HEALTH_TIMEOUT_MS = 5_000;

/** Does a daemon answer at this address? A daemon on every address is asked on the local one. */
export async function isHealthy(url: string): Promise<boolean> {
  const health = new URL("/v1/health", url);
  if (health.hostname === "0.0.0.0") health.hostname = "127.0.0.1";
  if (health.hostname === "[::]") health.hostname = "[::1]";
  try {
    return (await fetch(health, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
