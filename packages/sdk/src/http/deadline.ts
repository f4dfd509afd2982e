export interface Deadline {
  /** `null` waits for ever. */
  readonly timeoutMs: number | null;
  /** The caller's own signal; its reason is what the promise rejects with. */
  readonly signal?: AbortSignal | undefined;
  readonly onTimeout: () => Error;
}

/** Run with a signal that fires on timeout or with the caller's; rejects then even if `run` does not listen to it. */
export async function withDeadline<T>(deadline: Deadline, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs, signal: outer, onTimeout } = deadline;
  outer?.throwIfAborted();
  const controller = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  const forward = (): void => controller.abort(outer?.reason);
  outer?.addEventListener("abort", forward, { once: true });
  const timer = timeoutMs === null ? undefined : setTimeout(() => controller.abort(onTimeout()), timeoutMs);
  try {
    return await Promise.race([run(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", forward);
  }
}
