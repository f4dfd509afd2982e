import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { useStores } from "./provider.ts";
import { useStore } from "./use-store.ts";

export interface UseAgents {
  readonly agents: readonly AgentInfo[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly refresh: () => Promise<void>;
}

const none: readonly AgentInfo[] = [];

/** The agents of the daemon, asked for once; after installing one, `refresh`. */
export function useAgents(): UseAgents {
  const { agents } = useStores();
  const { data, isLoading, error } = useStore(agents, agents.getSnapshot);
  return { agents: data ?? none, isLoading, error, refresh: agents.refresh };
}
