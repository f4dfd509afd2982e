const ASK_TIMEOUT_MS = 5_000;

/** Does the daemon at this address serve the web inspector? */
export async function servesInspector(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL("/", url), { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    return typeof ((await answer.json()) as { inspector?: unknown }).inspector === "string";
  } catch {
    return false;
  }
}
