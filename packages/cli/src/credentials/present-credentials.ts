import { shellQuote } from "../output/shell-quote.ts";
import type { Credential } from "./credential.ts";

const SHORTEST_TO_SHOW_ENDS_OF = 20;

/** Enough to recognise a key by, too little to use it. */
export function redact(value: string): string {
  return value.length < SHORTEST_TO_SHOW_ENDS_OF ? "…" : `${value.slice(0, 6)}…${value.slice(-2)}`;
}

/** Lines for `eval`: one per variable, the first found wins. */
export function exportLines(credentials: readonly Credential[]): string[] {
  const values = new Map<string, string>();
  for (const { variable, value } of credentials) {
    if (variable !== undefined && !values.has(variable)) values.set(variable, value);
  }
  return [...values].map(([variable, value]) => `export ${variable}=${shellQuote(value)}`);
}
