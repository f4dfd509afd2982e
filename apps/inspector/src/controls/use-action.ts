import { useCallback, useRef, useState } from "react";

interface Action {
  /** Run it unless it is running; what it throws becomes `error`. */
  readonly run: (action: () => Promise<void>) => void;
  readonly isBusy: boolean;
  readonly error: string | undefined;
}

/** Something a person started and waits for. */
export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: string | undefined }>({
    isBusy: false,
    error: undefined,
  });
  const isRunning = useRef(false);
  const run = useCallback((action: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true, error: undefined });
    action().then(
      () => settle(undefined),
      (error: unknown) => settle(messageOf(error)),
    );
    function settle(error: string | undefined) {
      isRunning.current = false;
      setState({ isBusy: false, error });
    }
  }, []);
  return { run, ...state };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
