import { existsSync } from "node:fs";
import { type AgentAdapter, loadAgents } from "@sandbox-agent-ts/agents";
import type { AgentScenario } from "@sandbox-agent-ts/agents/contract";
import { createFakeAgent } from "@sandbox-agent-ts/testing";

export interface AgentUnderTest {
  readonly adapter: AgentAdapter;
  readonly scenario: AgentScenario;
}

const packages = new URL("../../../../", import.meta.url);

/** Every agent there is and the fake one, with the scenario each of them has for the contract suite. */
export async function agentsUnderTest(): Promise<AgentUnderTest[]> {
  const built = (await loadAgents()).map((adapter) => ({ adapter, folder: `agents/src/agents/${adapter.id}` }));
  const all = [...built, { adapter: createFakeAgent(), folder: "testing/src" }];
  const found = all.filter(({ folder }) => existsSync(scenarioFile(folder)));
  return Promise.all(found.map(async ({ adapter, folder }) => ({ adapter, scenario: await loadScenario(folder) })));
}

function scenarioFile(folder: string): URL {
  return new URL(`${folder}/__fixtures__/contract-scenario.ts`, packages);
}

async function loadScenario(folder: string): Promise<AgentScenario> {
  const module: { scenario: AgentScenario } = await import(/* @vite-ignore */ scenarioFile(folder).pathname);
  return module.scenario;
}
