import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { root } from "./root.mjs";

const agentsFolder = "packages/agents/src/agents";
const scenarioFile = "__fixtures__/contract-scenario.ts";

/** Every agent that has a contract scenario, with what that provokes. */
export async function loadAgents() {
  const names = await readdir(join(root, agentsFolder));
  const isThere = (name, file) => existsSync(join(root, agentsFolder, name, file));
  const known = names.filter((name) => isThere(name, "index.ts") && isThere(name, scenarioFile)).sort();
  return Promise.all(known.map(loadAgent));
}

async function loadAgent(name) {
  const [{ adapter }, { scenario }] = await Promise.all([
    importSource(`${agentsFolder}/${name}/index.ts`),
    importSource(`${agentsFolder}/${name}/${scenarioFile}`),
  ]);
  return { adapter, provoke: scenario.provoke };
}
