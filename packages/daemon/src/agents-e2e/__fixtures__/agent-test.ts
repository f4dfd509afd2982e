import type { FeatureName, ProvokingMessage } from "@sandbox-agent-ts/agents/contract";
import { test } from "vitest";
import type { AgentUnderTest } from "./scenarios.ts";

/** Real programs, the first time with their installation. */
export const AGENT_TIMEOUT_MS = 300_000;

/** A test of one feature through the daemon, or a skipped one whose title says why the agent does not have it. */
export function agentTest(
  agent: AgentUnderTest,
  feature: FeatureName,
  title: string,
  run: (by: ProvokingMessage) => Promise<void>,
): void {
  const provocation = agent.scenario.provoke[feature];
  const name = `${agent.adapter.id}: ${title}`;
  if ("skip" in provocation) test.skip(`${name} (skipped: ${provocation.skip})`, () => {});
  else test(name, { timeout: AGENT_TIMEOUT_MS }, () => run(provocation));
}
