import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentProgram, cacheDirectory } from "@sandbox-agent-ts/agents";
import { type FeatureName, type ProvokingMessage, scriptOf } from "@sandbox-agent-ts/agents/contract";
import { ensureProgram } from "@sandbox-agent-ts/agents/install";
import { onTestFinished } from "vitest";
import {
  type AgentUnderTest,
  agentsUnderTest,
} from "../../../../packages/daemon/src/agents-e2e/__fixtures__/scenarios.ts";

type RealAgent = AgentUnderTest & { readonly adapter: { readonly program: AgentProgram } };

/** An agent with a program of its own that can show all of these. */
export async function realAgentWith(features: readonly FeatureName[]): Promise<RealAgent> {
  const agents = await agentsUnderTest();
  const found = agents.find(
    (agent): agent is RealAgent =>
      agent.adapter.program !== undefined && features.every((feature) => !("skip" in agent.scenario.provoke[feature])),
  );
  if (!found) throw new Error("No agent can show all of this.");
  return found;
}

/** What makes it show a feature. */
export function provoking({ scenario }: AgentUnderTest, feature: FeatureName): ProvokingMessage {
  const provocation = scenario.provoke[feature];
  if ("skip" in provocation) throw new Error(provocation.skip);
  return provocation;
}

/** The environment in which it runs on a scripted model, with its program from the cache that all tests share. */
export async function scriptedEnvironment(
  { adapter, scenario }: RealAgent,
  home: string,
): Promise<Record<string, string>> {
  const prepared = (await scenario.prepare?.({ home, script: scriptOf(scenario) })) ?? {};
  onTestFinished(() => prepared.dispose?.());
  return { ...prepared.env, ...(await programOf(adapter.program)) };
}

/** Why its program cannot be had here, e.g. because no package registry can be reached. */
export function whyMissing({ adapter }: RealAgent): Promise<string | undefined> {
  return programOf(adapter.program).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function programOf(program: AgentProgram): Promise<Record<string, string>> {
  const env = { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env };
  const installRoot = join(cacheDirectory(process.env), "programs");
  const { path } = await ensureProgram(program, { env, installRoot }, { version: program.version });
  return { [`SANDBOX_AGENT_${program.name.toUpperCase()}_BIN`]: path };
}
