import { type ApiCommand, agentId, jsonFlag } from "./api-command.ts";
import { defined } from "./defined.ts";

const yesNo = (value: boolean): string => (value ? "yes" : "no");

export const agentsCommands: readonly ApiCommand[] = [
  {
    route: "listAgents",
    words: ["agents", "list"],
    summary: "List agents: installed? signed in? which version?",
    flags: [jsonFlag],
    examples: ["agents list", "agents list --json | jq '.agents[].id'"],
    run: async ({ client, input, out }) => {
      const answer = await client.listAgents();
      if (input.flag("json")) return out.json(answer);
      const rows = answer.agents.map((agent) => [
        agent.id,
        agent.name ?? "",
        yesNo(agent.installed),
        yesNo(agent.credentialsAvailable),
        agent.version ?? "",
        agent.path ?? "",
      ]);
      await out.table(["agent", "name", "installed", "signed in", "version", "path"], rows);
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
      const request = defined({ reinstall: input.flag("reinstall") });
      await out.json(await client.installAgent(input.argument("agent"), request));
    },
  },
  {
    route: "getAgentModes",
    words: ["agents", "modes"],
    summary: "List the modes a session with this agent can have",
    arguments: [agentId],
    flags: [jsonFlag],
    examples: ["agents modes mock"],
    run: async ({ client, input, out }) => {
      const answer = await client.getAgentModes(input.argument("agent"));
      if (input.flag("json")) return out.json(answer);
      const rows = answer.modes.map(({ id, name, description }) => [id, name, description]);
      await out.table(["mode", "name", "description"], rows);
    },
  },
  {
    route: "getAgentModels",
    words: ["agents", "models"],
    summary: "List the models a session with this agent can use",
    arguments: [agentId],
    flags: [jsonFlag],
    examples: ["agents models mock"],
    run: async ({ client, input, out }) => {
      const answer = await client.getAgentModels(input.argument("agent"));
      if (input.flag("json")) return out.json(answer);
      const rows = answer.models.map(({ id, name, variants }) => [
        id,
        name ?? "",
        (variants ?? []).join(" "),
        id === answer.defaultModel ? "default" : "",
      ]);
      await out.table(["model", "name", "variants", ""], rows);
    },
  },
];
