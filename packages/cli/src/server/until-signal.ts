import { signalExitCode } from "../exit-code.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npm forwards a Ctrl-C that the terminal has delivered already: two that come together are one. */
const ONE_GESTURE_MS = 500;

/** Resolves at the first signal to end; a person who repeats it while we are closing gets an end at once. */
export function untilSignal(
  source: NodeJS.EventEmitter = process,
  exit: (code: number) => void = process.exit,
): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > ONE_GESTURE_MS) exit(signalExitCode(signal));
      resolve();
    };
    for (const signal of signals) source.on(signal, onSignal);
  });
}
