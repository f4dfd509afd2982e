import { useEffect, useRef } from "react";

interface Shortcuts {
  readonly newSession: () => void;
  readonly help: () => void;
}

/** Keys that work from everywhere. All with Alt, so that they never get in the way of typing or of a screen reader. */
export const shortcuts = [
  { keys: "Alt N", does: "New session", run: ({ newSession }: Shortcuts) => newSession(), code: "KeyN" },
  { keys: "Alt K", does: "Search sessions", run: () => focus("#session-search"), code: "KeyK" },
  { keys: "Alt M", does: "Write a message", run: () => focus("#composer-input"), code: "KeyM" },
  { keys: "Alt R", does: "Go to what waits for you", run: () => focus("[data-request]"), code: "KeyR" },
  { keys: "Alt H", does: "This list", run: ({ help }: Shortcuts) => help(), code: "KeyH" },
] as const;

export function useShortcuts(actions: Shortcuts): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
      const shortcut = shortcuts.find(({ code }) => code === event.code);
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run(latest.current);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
