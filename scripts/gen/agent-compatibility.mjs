import { loadAgents } from "./agents-under-contract.mjs";
import { importSource } from "./import-source.mjs";
import { code, Reasons, table } from "./markdown.mjs";

const header = `---
title: "Agent compatibility"
description: "Which agent shows which feature, and why not where it does not."
icon: "table"
---

{/* Made by \`npm run gen\` from the agents and their contract scenarios. Do not edit. */}

Each line below is a test of the suite that every agent must pass. It runs the agent's real program, of the version named
here, against a scripted model. Where an agent does not have a feature, the number leads to the reason.
`;

/** The feature matrix: what each agent's contract scenario provokes, and why it does not provoke the rest. */
export async function outputs() {
  const { features } = await importSource("packages/agents/src/contract/features.ts");
  const agents = await loadAgents();
  const groups = [...new Set(Object.values(features).map(({ group }) => group))];
  const text = [
    header,
    agentTable(agents),
    ...groups.map((group) => featureTable(group, features, agents)),
    capabilityTable(agents),
  ].join("\n");
  return [{ path: "docs/agent-compatibility.mdx", text }];
}

function agentTable(agents) {
  const rows = agents.map(({ adapter: { id, displayName, program, permissionModes } }) => [
    displayName,
    code(id),
    program?.version ?? "built in",
    permissionModes.map(code).join(", "),
  ]);
  return `## Agents\n\n${table(["Agent", "Id", "Version", "Permission modes"], rows)}`;
}

function featureTable(group, features, agents) {
  const reasons = new Reasons();
  const rows = Object.entries(features)
    .filter(([, feature]) => feature.group === group)
    .map(([name, { title }]) => [title, ...agents.map(({ provoke }) => cell(provoke[name], reasons))]);
  return `## ${group}\n\n${table(["The agent …", ...namesOf(agents)], rows)}${reasons.list()}`;
}

function cell(provocation, reasons) {
  return "skip" in provocation ? `– ${reasons.number(provocation.skip)}` : "yes";
}

function capabilityTable(agents) {
  const names = Object.keys(agents[0]?.adapter.capabilities ?? {});
  const rows = names.map((name) => [
    code(name),
    ...agents.map(({ adapter }) => (adapter.capabilities[name] ? "yes" : "no")),
  ]);
  const intro = "What `GET /v1/agents` says. The suite fails when an agent claims more or less than its tests show.";
  return `## Capabilities\n\n${intro}\n\n${table(["Capability", ...namesOf(agents)], rows)}`;
}

const namesOf = (agents) => agents.map(({ adapter }) => adapter.displayName);
