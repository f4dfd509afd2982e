import type { AgentInfo } from "@sandbox-agent-ts/sdk";
import type { Tone } from "../output/terminal.ts";
import { showingProgress } from "../programs/install-progress-view.ts";
import { type ApiCommand, agentId } from "./api-command.ts";
import { defined } from "./defined.ts";

const yesNo = (value: boolean): string => (value ? "yes" : "no");
const yesNoTone = (cell: string): Tone => (cell === "yes" ? "green" : "dim");

/** Where the program is from; one of ours also where we had it from. */
function sourceText({ source, version, installedVersions }: AgentInfo): string {
  const from = installedVersions?.find((installed) => installed.version === version)?.from;
  return source === "installed" && from ? `installed (${from})` : (source ?? "");
}

export const agentsCommands: readonly ApiCommand[] = [
  {
    route: "listAgents",
    words: ["agents", "list"],
    summary: "List agents: installed? signed in? which version, from where?",
    flags: [{ name: "newest", description: "also look up the newest version of each that can be had" }],
    examples: ["agents list", "agents list --newest", "agents list --json | jq '.agents[].id'"],
    run: async ({ client, input, out }) => {
      const isNewest = input.flag("newest") ?? false;
      const answer = await client.listAgents(isNewest ? { newest: true } : {});
      const rows = answer.agents.map((agent) => [
        agent.id,
        agent.name ?? "",
        yesNo(agent.installed),
        yesNo(agent.credentialsAvailable),
        agent.version ?? "",
        ...(isNewest ? [agent.newestVersion ?? ""] : []),
        sourceText(agent),
        agent.path ?? "",
      ]);
      const columns = [
        "agent",
        { title: "name", shrink: "end" },
        { title: "installed", tone: yesNoTone },
        { title: "signed in", tone: yesNoTone },
        "version",
        ...(isNewest ? ["newest"] : []),
        "source",
        { title: "path", shrink: "middle" },
      ] as const;
      await out.list(answer, columns, rows, "There are no agents.");
    },
  },
  {
    route: "installAgent",
    words: ["agents", "install"],
    summary: "Install an agent",
    arguments: [agentId],
    flags: [{ name: "reinstall", short: "r", description: "install again even if it is there" }],
    examples: ["agents install claude", "agents install codex --reinstall"],
    run: async ({ client, input, out }) => {
      const agent = input.argument("agent");
      const request = defined({ reinstall: input.flag("reinstall") });
      const answer = await showingProgress((onProgress) => client.installAgent(agent, request, { onProgress }));
      await out.answer(answer, `${agent} ${answer.already_installed ? "was installed already" : "is installed"}.`);
    },
  },
  {
    route: "getAgentModes",
    words: ["agents", "modes"],
    summary: "List the modes a session with this agent can have",
    arguments: [agentId],
    examples: ["agents modes mock"],
    run: async ({ client, input, out }) => {
      const answer = await client.getAgentModes(input.argument("agent"));
      const rows = answer.modes.map(({ id, name, description }) => [id, name, description]);
      const columns = ["mode", "name", { title: "description", shrink: "end" }] as const;
      await out.list(answer, columns, rows, "This agent has no modes.");
    },
  },
  {
    route: "getAgentModels",
    words: ["agents", "models"],
    summary: "List the models a session with this agent can use",
    arguments: [agentId],
    examples: ["agents models mock"],
    run: async ({ client, input, out }) => {
      const answer = await client.getAgentModels(input.argument("agent"));
      const rows = answer.models.map(({ id, name, variants }) => [
        id,
        name ?? "",
        (variants ?? []).join(" "),
        id === answer.defaultModel ? "default" : "",
      ]);
      const columns = ["model", "name", { title: "variants", shrink: "end" }, ""] as const;
      await out.list(answer, columns, rows, "This agent names no models; it takes its own default.");
    },
  },
];
