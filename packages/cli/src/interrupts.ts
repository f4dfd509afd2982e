import { signalExitCode } from "./exit-code.ts";

let handler: (() => void) | undefined;

/** A Ctrl-C ends the program, unless a command has something to stop first; see `onInterrupt`. */
export function endOnInterrupt(): void {
  process.on("SIGINT", (signal) => (handler ? handler() : process.exit(signalExitCode(signal))));
}

/** Until it is released, a Ctrl-C calls this; the release is what it returns. */
export function onInterrupt(stop: () => void): () => void {
  handler = stop;
  return () => {
    if (handler === stop) handler = undefined;
  };
}
