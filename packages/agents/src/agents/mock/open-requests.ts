import { SandboxError } from "@sandbox-agent-ts/protocol";

/** Requests the agent has made of a person and is waiting on. */
export class OpenRequests<Answer> {
  readonly #waiting = new Map<string, (answer: Answer) => void>();

  /** Settles with the answer, or rejects with the signal's reason when the turn is stopped first. */
  wait(id: string, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    return new Promise<Answer>((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", stop);
      };
      const stop = () => {
        settle();
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop);
      this.#waiting.set(id, (answer) => {
        settle();
        resolve(answer);
      });
    });
  }

  answer(id: string, answer: Answer): void {
    const resolve = this.#waiting.get(id);
    if (!resolve) {
      throw new SandboxError(
        "request_not_found",
        `The mock agent is not waiting for "${id}"; answer an open request.`,
        {
          agent: "mock",
        },
      );
    }
    resolve(answer);
  }
}
