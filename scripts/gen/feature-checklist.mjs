import { loadAgents } from "./agents-under-contract.mjs";
import { importSource } from "./import-source.mjs";
import { table } from "./markdown.mjs";

const header = `---
title: "Feature checklist"
description: "What every agent does behind the universal API, and what only some do, so that you know what to rely on."
icon: "list-check"
---

{/* Made by \`npm run gen\` from the agents and their contract scenarios. Do not edit. */}

**Required** is what each agent below does: build on it without a look at the agent. **Optional** is what some do; \`GET
/v1/agents\` says it of each in its capabilities, and [agent compatibility](/agent-compatibility) has the reasons. Each line is a
test that runs the agent's real program.
`;

/** The features of the contract suite, by whether every agent with a program of its own has them. */
export async function outputs() {
  const { features } = await importSource("packages/agents/src/contract/features.ts");
  const agents = (await loadAgents()).filter(({ adapter }) => adapter.program !== undefined);
  const all = Object.entries(features).map(([name, { group, title }]) => {
    const having = agents.filter(({ provoke }) => !("skip" in provoke[name])).map(({ adapter }) => adapter.displayName);
    return { group, title, having, isRequired: having.length === agents.length };
  });
  const groups = [...new Set(all.map(({ group }) => group))];
  const names = agents.map(({ adapter }) => adapter.displayName).join(", ");
  const text = [header, `The agents: ${names}.\n`, ...groups.map((group) => section(group, all))].join("\n");
  return [{ path: "docs/feature-checklist.mdx", text }];
}

function section(group, all) {
  const [required, optional] = [true, false].map((is) =>
    all.filter((feature) => feature.group === group && feature.isRequired === is),
  );
  const list = required.map(({ title }) => `- [x] ${title}`).join("\n");
  const rows = optional.map(({ title, having }) => [title, having.join(", ") || "only the mock"]);
  return [
    `## ${group}\n`,
    ...(required.length > 0 ? [`Required: the agent …\n\n${list}\n`] : []),
    ...(optional.length > 0 ? [`Optional:\n\n${table(["The agent …", "has it"], rows)}`] : []),
  ].join("\n");
}
