import type { CredentialPlace } from "./credential-place.ts";

/**
 * `oauth`: a sign-in of a person or a token made from one. `cloud`: a service that was chosen and signs in its own way, or
 * needs no key. `helper`: a command that prints a key; it is named and never run.
 */
export type CredentialKind = "api-key" | "oauth" | "cloud" | "helper";

/** A way to sign in, as it was found. */
export interface Finding {
  readonly provider: string;
  readonly kind: CredentialKind;
  /** The variable or the file, for a person to find it again. */
  readonly source: string;
  /** Absent where only the program itself can get at it. */
  readonly secret?: string;
  /** The variable that hands it to the agent; some sign-ins have none. */
  readonly variable?: string;
  /** In milliseconds. */
  readonly expiresAt?: number;
  /** The program gets itself a new one when it has expired. */
  readonly refreshable?: boolean;
  /** Whose it is. */
  readonly account?: string;
}

/** A variable that an agent may be given a key in that other agents of the machine have. */
export interface WantedVariable {
  readonly name: string;
  /** Another name by which people know it, and the program does not. */
  readonly alias?: string;
}

/** Where an agent keeps what it signs in with: the `credentials` of its folder's `credentials.ts`. */
export interface AgentCredentials {
  /** Everything that is there, in the order in which the program takes it. Reads files and starts nothing. */
  find(place: CredentialPlace): Promise<readonly (Finding | undefined)[]>;
  /** What it may be given when it has nothing of its own; nothing where its keys go to a service of somebody else. */
  wants?(place: CredentialPlace): Promise<readonly WantedVariable[]>;
}

export const isExpired = ({ expiresAt }: Pick<Finding, "expiresAt">, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** Good for the program that it belongs to. */
export const isUsable = (finding: Finding, now: number): boolean => !isExpired(finding, now) || !!finding.refreshable;
