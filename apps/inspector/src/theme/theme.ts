import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";

const STORAGE_KEY = "sandbox-agent.theme";
const choices: readonly ThemeChoice[] = ["system", "light", "dark"];
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let choice = readChoice();

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(STORAGE_KEY);
  return choices.find((known) => known === stored) ?? "system";
}

function apply(): void {
  const isDark = choice === "dark" || (choice === "system" && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

/** Put the chosen colours on the page and keep them in step with the system's. */
export function startTheme(): void {
  apply();
  systemIsDark.addEventListener("change", apply);
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  localStorage.setItem(STORAGE_KEY, next);
  apply();
  for (const listener of listeners) listener();
}

export function nextTheme(current: ThemeChoice): ThemeChoice {
  return choices[(choices.indexOf(current) + 1) % choices.length] ?? "system";
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
