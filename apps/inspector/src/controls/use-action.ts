import { useCallback, useRef, useState } from "react";

interface Action {
  /** Run it unless it is running; what it throws becomes `error`. */
  readonly run: (action: () => Promise<void>) => void;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  /** What was thrown, for those who show more of it than its message. */
  readonly failure: unknown;
}

/** Something a person started and waits for. */
export function useAction(): Action {
  const [{ isBusy, failure }, setState] = useState<{ isBusy: boolean; failure: unknown }>({
    isBusy: false,
    failure: undefined,
  });
  const isRunning = useRef(false);
  const run = useCallback((action: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true, failure: undefined });
    action().then(
      () => settle(undefined),
      (error: unknown) => settle(error),
    );
    function settle(outcome: unknown) {
      isRunning.current = false;
      setState({ isBusy: false, failure: outcome });
    }
  }, []);
  return { run, isBusy, failure, error: failure === undefined ? undefined : messageOf(failure) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
