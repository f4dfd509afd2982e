import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { useAgents } from "@sandbox-agent-ts/react";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/notice.tsx";
import { formatDuration } from "../format/times.ts";
import { Page } from "../shell/page.tsx";
import { agentName } from "./agent-name.ts";
import { FeatureMatrix } from "./feature-matrix.tsx";
import { InstallButton } from "./install-button.tsx";
import { readyFirst } from "./ready-first.ts";
import "./agents-page.css";

export function AgentsPage() {
  const { agents: all, isLoading, error, refresh } = useAgents();
  const agents = readyFirst(all);
  return (
    <Page
      title="Agents"
      intro="What this daemon can run, and what each of them can do here."
      actions={<Button onClick={() => void refresh()}>Check again</Button>}
    >
      {error && <Notice title={error.message} role="alert" />}
      {isLoading && agents.length === 0 && <p>Asking the daemon …</p>}
      <ul className="agent-cards">
        {agents.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
      </ul>
      {agents.length > 0 && <FeatureMatrix agents={agents} />}
    </Page>
  );
}

function AgentCard({ agent }: { agent: AgentInfo }) {
  const { id, installed, credentialsAvailable, version, path, source, serverStatus } = agent;
  return (
    <li className="agent-card">
      <h2>{agentName(agent)}</h2>
      <p className="agent-id">
        {id}
        {version && ` · ${version}`}
        {source && source !== "installed" && ` · ${source === "path" ? "from PATH" : "named by a variable"}`}
      </p>
      <p className="agent-marks">
        <Mark isGood={installed} yes="Installed" no="Not installed" />
        <Mark isGood={credentialsAvailable} yes="Credentials found" no="No credentials" />
      </p>
      {installed && serverStatus && (
        <p className="agent-server">
          Shared process: {serverStatus.status}
          {serverStatus.uptimeMs != null && `, ${formatDuration(serverStatus.uptimeMs)}`}
          {serverStatus.restartCount > 0 && `, restarted ${serverStatus.restartCount} times`}
        </p>
      )}
      {path && (
        <p className="agent-path truncate" title={path}>
          {path}
        </p>
      )}
      {!installed && <InstallButton agent={id} name={agentName(agent)} />}
    </li>
  );
}

function Mark({ isGood, yes, no }: { isGood: boolean; yes: string; no: string }) {
  return <span className={isGood ? "agent-mark agent-mark-good" : "agent-mark"}>{isGood ? yes : no}</span>;
}
