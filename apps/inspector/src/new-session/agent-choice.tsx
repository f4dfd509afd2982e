import type { AgentInfo } from "@sandbox-agent/protocol";
import { agentName } from "../agents/agent-name.ts";
import "./agent-choice.css";

interface AgentChoiceProps {
  readonly agents: readonly AgentInfo[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

export function AgentChoice({ agents, selected, onSelect }: AgentChoiceProps) {
  return (
    <fieldset className="agent-choice">
      <legend>Agent</legend>
      {agents
        .toSorted((a, b) => readiness(b) - readiness(a))
        .map((agent) => (
          <label key={agent.id} className="agent-option">
            <input
              type="radio"
              name="agent"
              value={agent.id}
              checked={agent.id === selected}
              onChange={() => onSelect(agent.id)}
            />
            <b className="truncate">{agentName(agent)}</b>
            <span className="truncate">{stateOf(agent)}</span>
          </label>
        ))}
    </fieldset>
  );
}

/** What can be used at once comes first. */
function readiness({ installed, credentialsAvailable }: AgentInfo): number {
  return Number(installed) * 2 + Number(credentialsAvailable);
}

function stateOf({ installed, credentialsAvailable, version }: AgentInfo): string {
  if (!installed) return "Not installed";
  return credentialsAvailable ? `Ready${version ? `, ${version}` : ""}` : "No credentials";
}
