import type { Unsubscribe } from "./listeners.ts";
import { isPageVisible, onVisibilityChange } from "./page-visibility.ts";

const LOOK_EVERY_MS = 30_000;

export interface Pausable {
  /** Whether a page that nobody sees can do without it now. */
  readonly isIdle: () => boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Let go, in a page that has been hidden for a while, of what it can do without until it is seen again. Browsers allow
 * few connections to one server, all tabs together: forgotten tabs must not take them from the one that is looked at.
 */
export function pauseWhenHidden({ isIdle, pause, resume }: Pausable): Unsubscribe {
  if (typeof document === "undefined") return () => {};
  let timer: ReturnType<typeof setInterval> | undefined;
  let isPaused = false;
  const look = () => {
    if (isPaused || !isIdle()) return;
    isPaused = true;
    pause();
  };
  const onChange = () => {
    clearInterval(timer);
    if (!isPageVisible()) timer = setInterval(look, LOOK_EVERY_MS);
    else if (isPaused) {
      isPaused = false;
      resume();
    }
  };
  const unwatch = onVisibilityChange(onChange);
  onChange();
  return () => {
    clearInterval(timer);
    unwatch();
  };
}
