import type { AgentInfo } from "@sandbox-agent-ts/protocol";

/** What can be used at once comes first. */
export function readyFirst(agents: readonly AgentInfo[]): readonly AgentInfo[] {
  return agents.toSorted((a, b) => readiness(b) - readiness(a));
}

function readiness({ installed, credentialsAvailable }: AgentInfo): number {
  return Number(installed) * 2 + Number(credentialsAvailable);
}
