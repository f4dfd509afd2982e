import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { Icon } from "../controls/icon.tsx";
import { agentName, capabilityLabel } from "./agent-name.ts";
import "./feature-matrix.css";

/** What each agent can do, as the daemon says. */
export function FeatureMatrix({ agents }: { agents: readonly AgentInfo[] }) {
  const names = Object.keys(agents[0]?.capabilities ?? {}) as (keyof AgentInfo["capabilities"])[];
  return (
    <section className="features" aria-label="Features">
      <h2>Features</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="features-scroller" tabIndex={0} aria-label="Feature matrix">
        <table>
          <thead>
            <tr>
              <th scope="col">Feature</th>
              {agents.map((agent) => (
                <th key={agent.id} scope="col">
                  {agentName(agent)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{capabilityLabel(name)}</th>
                {agents.map(({ id, capabilities }) => (
                  <td key={id}>
                    <Cell isThere={capabilities[name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Cell({ isThere }: { isThere: boolean }) {
  return isThere ? (
    <span className="feature-yes">
      <Icon name="check" size={15} />
      <span className="visually-hidden">Yes</span>
    </span>
  ) : (
    <span className="feature-no">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">No</span>
    </span>
  );
}
