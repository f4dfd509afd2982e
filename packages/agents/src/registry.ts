import type { AcpAgent } from "./acp/acp-agent.ts";
import type { AgentAdapter } from "./agent.ts";
import { agentModules } from "./registry.gen.ts";

export type { AcpAgent } from "./acp/acp-agent.ts";

/** The ids of all agents there are; nothing is imported for it. */
export const builtInAgents: readonly string[] = Object.keys(agentModules);

/** Every agent there is: one per folder of `agents/`, imported only now. */
export async function loadAgents(): Promise<readonly AgentAdapter[]> {
  const modules: { adapter: AgentAdapter }[] = await Promise.all(Object.values(agentModules).map((load) => load()));
  return modules.map(({ adapter }) => adapter);
}

/** Agents that have no folder: programs that speak the Agent Client Protocol, as somebody describes them. */
export async function describedAgents(descriptions: readonly AcpAgent[]): Promise<readonly AgentAdapter[]> {
  const { acpAdapter } = await import("./acp/acp-adapter.ts");
  return descriptions.map((description) => acpAdapter(description));
}
