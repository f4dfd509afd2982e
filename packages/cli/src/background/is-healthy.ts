const HEALTH_TIMEOUT_MS = 5_000;

/** Does a daemon answer at this address? */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(new URL("/v1/health", url), { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
