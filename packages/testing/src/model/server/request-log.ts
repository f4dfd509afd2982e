import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { RecordedRequest } from "./recorded-request.ts";

export const DEFAULT_WAIT_MS = 10_000;

type Predicate = (request: RecordedRequest) => boolean;

/** All requests of one server, and those who wait for one. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly #watchers = new Set<() => void>();

  add(request: RecordedRequest): void {
    this.requests.push(request);
    for (const watch of this.#watchers) watch();
  }

  /** The first request that fits, whether it has come or is still to come. */
  waitFor(predicate: Predicate, timeoutMs: number, closed: AbortSignal): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const giveUp = AbortSignal.any([closed, AbortSignal.timeout(timeoutMs)]);
      const settle = (act: () => void): void => {
        this.#watchers.delete(watch);
        giveUp.removeEventListener("abort", onGiveUp);
        act();
      };
      const watch = (): void => {
        const found = this.requests.find(predicate);
        if (found) settle(() => resolve(found));
      };
      const onGiveUp = (): void => settle(() => reject(this.#noneCame(closed, timeoutMs)));
      giveUp.addEventListener("abort", onGiveUp);
      this.#watchers.add(watch);
      watch();
    });
  }

  #noneCame(closed: AbortSignal, timeoutMs: number): SandboxError {
    const when = closed.aborted ? "before the model service was closed" : `within ${timeoutMs} ms`;
    return new SandboxError("timeout", `No matching request came ${when}; ${this.requests.length} others did.`);
  }
}
