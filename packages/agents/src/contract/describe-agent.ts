import { describe } from "vitest";
import { AgentContract, type MakeAdapter } from "./agent-contract.ts";
import type { AgentScenario } from "./agent-scenario.ts";
import { describeIdentity } from "./describe-identity.ts";
import { describeLifecycle } from "./describe-lifecycle.ts";
import { describeRequests } from "./describe-requests.ts";
import { describeTurns } from "./describe-turns.ts";

/**
 * The contract suite of the `AgentAdapter` seam: what every agent must do, whatever program it drives.
 *
 * The adapter is driven directly, without a daemon. `makeAdapter` is called once per test; `scenario` says which message
 * provokes what, or why nothing does, and the skipped test then carries that reason in its title. Every session's stream
 * is held against the schema, the stream invariants and the rules of `OpenOptions.emit`.
 */
export function describeAgent(name: string, makeAdapter: MakeAdapter, scenario: AgentScenario): void {
  const contract = new AgentContract(makeAdapter, scenario);
  describe(`agent ${name}`, () => {
    describeIdentity(contract);
    describeTurns(contract);
    describeRequests(contract);
    describeLifecycle(contract);
  });
}
