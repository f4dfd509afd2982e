import type { Environment } from "../data-dir.ts";

/** A way to pay for a model that was found on this machine. */
export interface Credential {
  readonly agent: string;
  readonly provider: string;
  readonly kind: "api-key" | "oauth";
  readonly value: string;
  /** The variable that hands it to the agent; some sign-ins have none. */
  readonly variable?: string;
  /** The variable or file it was found in. */
  readonly source: string;
}

/** Where an agent's credentials may be. The first found for a variable wins, so the order is the agent's own. */
export interface CredentialSource {
  readonly agent: string;
  find(place: CredentialPlace): readonly (Omit<Credential, "agent"> | undefined)[];
}

export interface CredentialPlace {
  readonly home: string;
  readonly env: Environment;
  /** A JSON file's content; undefined when there is none or it is no JSON object. */
  readJson(path: string): Readonly<Record<string, unknown>> | undefined;
}

type Found = Omit<Credential, "agent"> | undefined;

/** An API key or token in a variable of the environment. */
export function fromVariable(
  place: CredentialPlace,
  variable: string,
  rest: Pick<Credential, "provider" | "kind">,
): Found {
  const value = place.env[variable];
  return value ? { ...rest, value, variable, source: `env ${variable}` } : undefined;
}

/** A value inside a file, if it is there and is text. */
export function fromFile(source: string, value: unknown, rest: Omit<Credential, "agent" | "source" | "value">): Found {
  return typeof value === "string" && value !== "" ? { ...rest, value, source } : undefined;
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
