import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { pause } from "./pause.ts";

export interface Backoff {
  /** How many times to try again after the first failure. */
  readonly retries: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

export const CALL_BACKOFF: Backoff = { retries: 3, baseMs: 200, maxMs: 5_000 };

/** A server that asks for a longer pause than this gets no retry: the caller should know rather than wait. */
export const MAX_RETRY_AFTER_MS = 10_000;

/** Run until it succeeds, the failure is one that trying again cannot mend, or the retries are used up. */
export async function withRetries<T>(backoff: Backoff, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await run();
    } catch (error) {
      const wait = failures < backoff.retries && !signal.aborted ? retryDelayMs(error, failures, backoff) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
      signal.throwIfAborted();
    }
  }
}

/** How long to wait before trying again; undefined when that would not help. */
export function retryDelayMs(error: unknown, failures: number, backoff: Backoff): number | undefined {
  if (!(error instanceof SandboxAgentError)) return undefined;
  const asked = retryAfterMs(error.response);
  if (asked !== undefined && (error.status === 429 || error.status === 503)) {
    return asked <= MAX_RETRY_AFTER_MS ? asked : undefined;
  }
  return [0, 502, 503, 504].includes(error.status) ? backoffMs(failures, backoff) : undefined;
}

/** Exponential; the random half keeps many clients of one restarted daemon apart. */
export function backoffMs(failures: number, { baseMs, maxMs }: Backoff): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** failures);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

function retryAfterMs(response: Response | undefined): number | undefined {
  const header = response?.headers.get("retry-after")?.trim();
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
