import { describe } from "vitest";
import { AgentContract, type MakeAdapter } from "./agent-contract.ts";
import type { AgentScenario } from "./agent-scenario.ts";
import { describeClaims } from "./describe-claims.ts";
import { describeFailures } from "./describe-failures.ts";
import { describeIdentity } from "./describe-identity.ts";
import { describeInput } from "./describe-input.ts";
import { describeProfiles } from "./describe-profiles.ts";
import { describeRequests } from "./describe-requests.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeStopping } from "./describe-stopping.ts";
import { describeTools } from "./describe-tools.ts";
import { describeTurns } from "./describe-turns.ts";

/**
 * The contract suite of the `AgentAdapter` seam: what every agent must do, whatever program it drives.
 *
 * The adapter is driven directly, without a daemon, as the daemon would: one adapter in one world, with a real supervisor
 * and with the agent's real program, installed when it is missing. `scenario` says how each feature is provoked, or why
 * the agent does not have it, and the skipped test then carries that reason in its title. Every session's stream is held
 * against the schema, the stream invariants and the rules of `OpenOptions.emit`; at the end the agent's claims are held
 * against what was seen, and no process may be left. Tests of one agent run one after the other.
 */
export function describeAgent(name: string, makeAdapter: MakeAdapter, scenario: AgentScenario): void {
  const contract = new AgentContract(makeAdapter, scenario);
  describe(`agent ${name}`, () => {
    contract.setUp();
    describeIdentity(contract);
    describeTurns(contract);
    describeTools(contract);
    describeRequests(contract);
    describeInput(contract);
    describeStopping(contract);
    describeSessions(contract);
    describeProfiles(contract);
    describeFailures(contract);
    describeClaims(contract);
  });
}
