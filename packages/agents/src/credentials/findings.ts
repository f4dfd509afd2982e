import type { Finding } from "./agent-credentials.ts";
import type { Environment } from "./credential-place.ts";

type Kind = Pick<Finding, "provider" | "kind">;

/** What a variable of the environment holds, or of a file that sets variables. */
export function inVariable(env: Environment, variable: string, rest: Kind & Partial<Finding>): Finding | undefined {
  const secret = env[variable];
  return secret ? { source: `env ${variable}`, ...rest, secret, variable } : undefined;
}

/** The choice of a service: the variable is no secret. */
export function chosenIn(env: Environment, variable: string, provider: string): Finding | undefined {
  return isOn(env[variable]) ? { provider, kind: "cloud", source: `env ${variable}` } : undefined;
}

/** A value in a file, if it is there and is text. */
export function inFile(source: string, value: unknown, rest: Kind & Partial<Finding>): Finding | undefined {
  const secret = textOf(value);
  return secret === undefined ? undefined : { ...rest, source, secret };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function isOn(value: string | undefined): boolean {
  return !["", "0", "false", "no", "off"].includes(value?.trim().toLowerCase() ?? "");
}

/** Those of its fields that are text. */
export function variablesIn(settings: unknown): Record<string, string> {
  const entries = typeof settings === "object" && settings !== null ? Object.entries(settings) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
