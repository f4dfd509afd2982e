import { setTimeout as delay } from "node:timers/promises";
import { SandboxProviderError } from "../sandbox-provider.ts";
import { chainOf } from "./provider-error.ts";

export interface RetryOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** With the first one. Default: 5. */
  readonly attempts?: number | undefined;
  /** For all of them with their pauses; no attempt begins later. Default: a minute. */
  readonly withinMs?: number | undefined;
  /**
   * It makes something that costs money: after a failure that leaves open whether it was made it is not made again, unless
   * `find` looks for it (by its label or its name) and finds nothing. What it finds is the answer.
   */
  readonly creates?: boolean | undefined;
  readonly find?: (() => Promise<T | undefined>) | undefined;
  /** For tests. */
  readonly pause?: ((ms: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

const firstPauseMs = 250;
const longestPauseMs = 8_000;

/**
 * Try again what a service refused for the moment (429, 5xx, no connection), as late as it says, else after longer and longer
 * pauses. Rejects as the last attempt did; at once when the service wants to be left alone for longer than there is time.
 */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions<T> = {}): Promise<T> {
  const { signal, attempts = 5, withinMs = 60_000, creates = false, find, pause = pauseFor } = options;
  const deadline = performance.now() + withinMs;
  let isOpen = false;
  for (let count = 1; ; count += 1) {
    signal?.throwIfAborted();
    try {
      const found = isOpen ? await find?.() : undefined;
      if (found !== undefined) return found;
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      isOpen ||= creates && mayHaveHappened(error);
      const isLost = isOpen && find === undefined;
      if (!isWorthRetrying(error) || isLost || count >= attempts) throw error;
      const wait = pauseBefore(count, error.retryAfterMs);
      if (performance.now() + wait > deadline) throw error;
      await pause(wait, signal);
    }
  }
}

function isWorthRetrying(error: unknown): error is SandboxProviderError {
  if (!(error instanceof SandboxProviderError)) return false;
  return error.code === "rate_limited" || error.code === "unavailable" || error.code === "timeout";
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether the service may have done what it did not answer. Not where it refused, or was not reached at all. */
export function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof SandboxProviderError)) return true;
  if (error.code !== "unavailable" && error.code !== "timeout") return false;
  return !chainOf(error.cause).some(({ code }) => neverSent.has(code));
}

/** Longer each time, and not the same for all who were refused at once; never earlier than the service said. */
function pauseBefore(count: number, retryAfterMs = 0): number {
  const longest = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
  const jittered = longest * (0.5 + Math.random() / 2);
  return retryAfterMs > 0 ? retryAfterMs + jittered / 4 : jittered;
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}
