import type { ProviderService, ServiceRequest } from "@sandbox-agent-ts/testing/providers";
import { shellQuote } from "../output/shell-quote.ts";

type Shown = Pick<ProviderService, "name" | "settings" | "env">;

/** What a program needs to know about a service that has started. */
export function serviceFacts({ name, settings, env }: Shown) {
  return { name, provider: name, providerSettings: settings, env };
}

/** The same for a person. */
export function serviceBanner({ name, settings, env }: Shown, summary: string): string {
  const variables = Object.entries(env).map(([variable, value]) => `export ${variable}=${shellQuote(value)}`);
  const config = JSON.stringify({ provider: name, providerSettings: settings }, null, 2);
  return [
    `${summary} Ctrl-C ends it, and all machines that it has made.`,
    ...(variables.length === 0 ? [] : ["", "# For its SDK and its own programs", ...variables]),
    "",
    "# For sandbox-agent runtime, in the file of --config",
    config,
    "",
  ].join("\n");
}

export const serviceRequestLine = ({ method, path }: ServiceRequest): string => `${method} ${path}`;
