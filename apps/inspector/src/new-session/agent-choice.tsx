import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { agentName } from "../agents/agent-name.ts";
import { readyFirst } from "../agents/ready-first.ts";
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
      {readyFirst(agents).map((agent) => (
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

function stateOf({ installed, credentialsAvailable, version }: AgentInfo): string {
  if (!installed) return "Not installed";
  return credentialsAvailable ? `Ready${version ? `, ${version}` : ""}` : "No credentials";
}
