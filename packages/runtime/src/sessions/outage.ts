import { SandboxProviderError } from "../sandboxes/sandbox-provider.ts";

/** Why a sandbox is given up of which nothing was known for so long, or which could not be resumed. */
export function outage(state: "unknown" | "suspended", ms: number, why = "no reason is known"): string {
  const what = state === "unknown" ? "its provider said nothing of it" : "it could not be resumed";
  return `${what} for ${Math.ceil(ms / 1_000)} s: ${why}`;
}

/** A service that says how long it wants to be left alone is asked no sooner. */
export function pauseAfter(error: unknown, ms: number): number {
  return Math.max(ms, (error instanceof SandboxProviderError ? error.retryAfterMs : undefined) ?? 0);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
