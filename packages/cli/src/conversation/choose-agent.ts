import type { AgentInfo, SandboxAgent } from "@sandbox-agent-ts/sdk";
import type { Paint } from "../output/terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { Keyboard } from "./keyboard.ts";

interface Chooser {
  readonly client: SandboxAgent;
  /** The person to ask when more than one agent can be meant. */
  readonly keyboard: Keyboard | undefined;
  readonly paint: Paint;
  readonly show: (text: string) => void;
}

/** The agent to talk to when none was named: the only one that is ready, else the one that the person chooses. */
export async function chooseAgent({ client, keyboard, paint, show }: Chooser): Promise<string> {
  const { agents } = await client.listAgents();
  const ready = agents.filter((agent) => isReady(agent) && agent.path);
  if (ready.length === 1) return ready[0]!.id;
  const sorted = agents.toSorted((one, other) => rank(one) - rank(other));
  const choices = sorted.map(({ id }) => id).join(", ");
  if (!keyboard) throw new UsageError(`Say which agent with --agent: ${choices}.`);
  show("Which agent?\n");
  sorted.forEach((agent, index) => {
    show(`  ${paint("bold", String(index + 1).padStart(2))} ${agent.id.padEnd(14)} ${paint("dim", stateOf(agent))}\n`);
  });
  const line = await keyboard.readAnswer(paint("yellow", `A number or a name (Enter for ${sorted[0]?.id}): `));
  const said = line?.trim() ?? "";
  const chosen = said === "" ? sorted[0]?.id : (sorted[Number(said) - 1]?.id ?? said);
  if (chosen === undefined || line === undefined) throw new UsageError(`Say which agent with --agent: ${choices}.`);
  return chosen;
}

const isReady = ({ installed, credentialsAvailable }: AgentInfo): boolean => installed && credentialsAvailable;

/** What can be used at once comes first, and of that what has a program of its own. */
function rank(agent: AgentInfo): number {
  if (isReady(agent)) return agent.path ? 0 : 1;
  if (agent.credentialsAvailable) return 2;
  return agent.installed ? 3 : 4;
}

function stateOf(agent: AgentInfo): string {
  if (isReady(agent)) return agent.path ? `ready, ${agent.version ?? "installed"}` : "built in, needs nothing";
  if (agent.credentialsAvailable) return "signed in; is installed with the first message";
  return agent.installed ? `installed; not signed in: sandbox-agent login ${agent.id}` : "not installed, not signed in";
}
