import type { FoundCredential } from "@sandbox-agent-ts/agents";
import { shellQuote } from "../output/shell-quote.ts";

const SHORTEST_TO_SHOW_ENDS_OF = 20;

/** Enough to recognise a key by, too little to use it. */
export function redact(value: string): string {
  return value.length < SHORTEST_TO_SHOW_ENDS_OF ? "…" : `${value.slice(0, 6)}…${value.slice(-2)}`;
}

/** As it is printed: with the secret only for who asked for it. */
export type ShownCredential = Omit<FoundCredential, "secret"> & { readonly value?: string };

export function shownCredential({ secret, ...rest }: FoundCredential, reveal: boolean): ShownCredential {
  return secret === undefined ? rest : { ...rest, value: reveal ? secret : redact(secret) };
}

/** What there is to know about how long it is good. */
export function validity({ expired, expiresAt, refreshable }: ShownCredential): string {
  if (expiresAt === undefined) return "";
  if (!expired) return `until ${expiresAt.slice(0, 16).replace("T", " ")}`;
  return refreshable ? "expired, renewed by the agent itself" : "expired";
}

/**
 * Lines for `eval`: one per variable, the first found wins. What has expired is good for nobody, or for its own program
 * only; what is no name for a shell would end the script.
 */
export function variableLines(credentials: readonly FoundCredential[], prefix: "export " | ""): string[] {
  const values = new Map<string, string>();
  for (const { variable, secret, expired } of credentials) {
    if (variable === undefined || secret === undefined || expired || !/^[A-Za-z_]\w*$/.test(variable)) continue;
    if (!values.has(variable)) values.set(variable, secret);
  }
  return [...values].map(([variable, value]) => `${prefix}${variable}=${shellQuote(value)}`);
}
