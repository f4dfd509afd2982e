import { useAgents } from "@sandbox-agent-ts/react";
import { agentName } from "./agent-name.ts";

/** What people call an agent, as far as the daemon has said. */
export function useAgentName(): (id: string) => string {
  const { agents } = useAgents();
  return (id) => agentName(agents.find((agent) => agent.id === id) ?? { id });
}
