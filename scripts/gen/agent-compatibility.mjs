import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { root } from "./root.mjs";

const agentsFolder = "packages/agents/src/agents";
const scenarioFile = "__fixtures__/contract-scenario.ts";

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
  const agents = await Promise.all((await agentNames()).map(loadAgent));
  const groups = [...new Set(Object.values(features).map(({ group }) => group))];
  const text = [
    header,
    agentTable(agents),
    ...groups.map((group) => featureTable(group, features, agents)),
    capabilityTable(agents),
  ].join("\n");
  return [{ path: "docs/agent-compatibility.mdx", text }];
}

async function agentNames() {
  const names = await readdir(join(root, agentsFolder));
  const isThere = (name, file) => existsSync(join(root, agentsFolder, name, file));
  return names.filter((name) => isThere(name, "index.ts") && isThere(name, scenarioFile)).sort();
}

async function loadAgent(name) {
  const [{ adapter }, { scenario }] = await Promise.all([
    importSource(`${agentsFolder}/${name}/index.ts`),
    importSource(`${agentsFolder}/${name}/${scenarioFile}`),
  ]);
  return { adapter, provoke: scenario.provoke };
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
  const reasons = [];
  const rows = Object.entries(features)
    .filter(([, feature]) => feature.group === group)
    .map(([name, { title }]) => [title, ...agents.map(({ provoke }) => cell(provoke[name], reasons))]);
  const notes = reasons.map((reason, index) => `${index + 1}. ${sentence(reason)}\n`).join("");
  return `## ${group}\n\n${table(["The agent …", ...namesOf(agents)], rows)}${notes && `\n${notes}`}`;
}

function cell(provocation, reasons) {
  if (!("skip" in provocation)) return "yes";
  if (!reasons.includes(provocation.skip)) reasons.push(provocation.skip);
  return `– (${reasons.indexOf(provocation.skip) + 1})`;
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
const code = (text) => `\`${text}\``;

/** Outside of code, MDX takes `<` and `{` for its own. */
function sentence(text) {
  const escaped = text.replace(/[<{]/g, (character) => `\\${character}`);
  return `${escaped.charAt(0).toUpperCase()}${escaped.slice(1)}.`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}
