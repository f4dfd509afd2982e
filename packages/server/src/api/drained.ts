import type { Writable } from "node:stream";

/** Resolves when the client has taken what was written, or when there is nobody left to wait for. */
export function drained(body: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      body.off("drain", done);
      body.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    body.on("drain", done);
    body.on("close", done);
    signal.addEventListener("abort", done, { once: true });
    if (body.destroyed || signal.aborted) done();
  });
}
