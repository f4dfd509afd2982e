// `npm run schemas [-- --agent NAME]`: what the pinned agents send, as JSON schemas, from their programs and packages.
import { parseArgs } from "node:util";
import { acpProtocol, loadAgents } from "../resources/agent-schemas/src/agents.mjs";
import { writeArtifact } from "../resources/agent-schemas/src/artifact.mjs";
import { extractSchema } from "../resources/agent-schemas/src/extract-schema.mjs";

const { values } = parseArgs({ options: { agent: { type: "string", multiple: true } } });
const described = [...(await loadAgents()).filter(({ schema }) => schema !== "acp"), acpProtocol()];
const chosen = described.filter(({ id }) => values.agent?.includes(id) ?? true);
for (const name of values.agent ?? []) {
  if (!described.some(({ id }) => id === name))
    throw new Error(`There is no schema of ${name}, only of ${described.map(({ id }) => id).join(", ")}.`);
}

for (const agent of chosen) {
  try {
    const artifact = await extractSchema(agent);
    writeArtifact(agent.id, artifact);
    const { package: name, version, command } = artifact["x-source"];
    console.log(`${agent.id}: ${Object.keys(artifact["x-kinds"]).length} kinds from ${name}@${version} (${command})`);
  } catch (error) {
    // What is committed stays: it is the fall-back.
    console.error(`${agent.id}: not extracted, the committed schema stays. ${error.message}`);
    process.exitCode = 1;
  }
}
