import { type AgentCredentials, type CredentialKind, type Finding, isExpired, isUsable } from "./agent-credentials.ts";
import { credentialPlace, type Environment, type PlaceOptions } from "./credential-place.ts";
import { credentialModules } from "./credentials.gen.ts";

/** What a machine has for an agent to sign in with. */
export interface FoundCredential {
  readonly agent: string;
  readonly provider: string;
  readonly kind: CredentialKind;
  /** The variable that hands it to the agent, where it has one. */
  readonly variable?: string;
  /** The variable or file it was found in. */
  readonly source: string;
  /** As a date. */
  readonly expiresAt?: string;
  /** The agent's own program renews it. */
  readonly refreshable?: boolean;
  readonly account?: string;
  readonly expired: boolean;
  /** For whoever asked for it: never print it unasked. Absent where only the program can get at it. */
  readonly secret?: string;
}

/** The agents that somebody knows how to look for. */
export const agentsWithCredentials: readonly string[] = Object.keys(credentialModules);

/** Everything a machine has for these agents, of each what it would take first before the rest. Starts nothing. */
export async function findCredentials(
  options: PlaceOptions & { readonly agents?: readonly string[] },
): Promise<FoundCredential[]> {
  const place = credentialPlace(options);
  const agents = Object.entries(credentialModules).filter(([agent]) => options.agents?.includes(agent) ?? true);
  const found = await Promise.all(
    agents.map(async ([agent, load]) => {
      const { credentials }: { credentials: AgentCredentials } = await load();
      const findings = await credentials.find(place);
      return findings.filter((finding) => finding !== undefined).map((finding) => shown(agent, finding, place.now));
    }),
  );
  return found.flat();
}

/** The first that an agent has to sign in with and that is still good, or that it renews by itself. */
export async function signInOf(
  credentials: AgentCredentials,
  env: Environment,
): Promise<Omit<Finding, "secret"> | undefined> {
  const place = credentialPlace({ env });
  const found = (await credentials.find(place)).find(
    (finding) => finding !== undefined && isUsable(finding, place.now),
  );
  if (!found) return undefined;
  const { secret: _, ...shown } = found;
  return shown;
}

export async function hasCredentials(credentials: AgentCredentials, env: Environment): Promise<boolean> {
  return (await signInOf(credentials, env)) !== undefined;
}

function shown(agent: string, { expiresAt, ...finding }: Finding, now: number): FoundCredential {
  return {
    agent,
    ...finding,
    ...(expiresAt === undefined ? {} : { expiresAt: dateOf(expiresAt) }),
    expired: expiresAt !== undefined && isExpired({ expiresAt }, now),
  };
}

const LAST_DATE = 8.64e15;

const dateOf = (time: number): string => new Date(Math.min(time, LAST_DATE)).toISOString();
