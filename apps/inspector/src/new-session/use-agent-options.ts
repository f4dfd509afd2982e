import type { AgentMode, AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { useEffect, useState } from "react";
import { messageOf } from "../controls/use-action.ts";

interface AgentOptions {
  readonly modes: readonly AgentMode[];
  readonly models: AgentModelsResponse;
  readonly isLoading: boolean;
  readonly error: string | undefined;
}

const nothing: AgentOptions = { modes: [], models: { models: [] }, isLoading: false, error: undefined };

/** The modes and models of an agent, once it is chosen and there. */
export function useAgentOptions(agent: string | undefined): AgentOptions {
  const client = useSandboxAgent();
  const [options, setOptions] = useState<AgentOptions>(nothing);
  useEffect(() => {
    if (agent === undefined) {
      setOptions(nothing);
      return undefined;
    }
    let isCurrent = true;
    setOptions({ ...nothing, isLoading: true });
    Promise.all([client.getAgentModes(agent), client.getAgentModels(agent)]).then(
      ([{ modes }, models]) => isCurrent && setOptions({ ...nothing, modes, models }),
      (error: unknown) => isCurrent && setOptions({ ...nothing, error: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, agent]);
  return options;
}
