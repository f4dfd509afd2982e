import { type AgentCredentials, isUsable, type WantedVariable } from "./agent-credentials.ts";
import { type CredentialPlace, credentialPlace, type Environment } from "./credential-place.ts";
import { agentsWithCredentials, findCredentials } from "./find-credentials.ts";

/** For those who want each agent to have its own key only. */
const offVariable = "SANDBOX_AGENT_NO_SHARED_KEYS";

/**
 * The documented variables for an agent that has nothing to sign in with, from API keys that other agents keep on this
 * machine: the same variable, so the same service. Sign-ins of persons are not passed on, and nothing is where the
 * environment sends the agent to another address.
 */
export async function sharedKeys(credentials: AgentCredentials, env: Environment): Promise<Record<string, string>> {
  if (!credentials.wants || env[offVariable]) return {};
  const place = credentialPlace({ env });
  const own = await credentials.find(place);
  if (own.some((finding) => finding !== undefined && isUsable(finding, place.now))) return {};
  const wanted = await credentials.wants(place);
  if (wanted.length === 0) return {};
  const others = await keysOfOthers(place);
  const keys = wanted.map((variable) => [variable.name, keyFor(variable, env, others)] as const);
  return Object.fromEntries(keys.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function keyFor({ name, alias }: WantedVariable, env: Environment, others: ReadonlyMap<string, string>) {
  return (alias === undefined ? undefined : env[alias]) || others.get(name);
}

async function keysOfOthers({ env }: CredentialPlace): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { kind, variable, secret, expired } of await findCredentials({ env, agents: agentsWithCredentials })) {
    if (kind !== "api-key" || variable === undefined || secret === undefined || expired) continue;
    if (!keys.has(variable)) keys.set(variable, secret);
  }
  return keys;
}
