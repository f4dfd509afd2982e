import type { AgentAdapter } from "./agent.ts";
import { agentModules } from "./registry.gen.ts";

/** Every agent there is: one per folder of `agents/`, imported only now. */
export async function loadAgents(): Promise<readonly AgentAdapter[]> {
  const modules: { adapter: AgentAdapter }[] = await Promise.all(Object.values(agentModules).map((load) => load()));
  return modules.map(({ adapter }) => adapter);
}
