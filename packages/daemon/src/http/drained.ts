import type { ServerResponse } from "node:http";

/** Resolves when the client has taken what was written, or when there is nobody left to wait for. */
export function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
    signal.addEventListener("abort", done, { once: true });
    if (response.destroyed || signal.aborted) done();
  });
}
