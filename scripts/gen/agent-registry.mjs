import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.mjs";

const agentsFolder = "packages/agents/src/agents";
const header = "// Made by `npm run gen` from the folders in agents/. Do not edit.\n\n";

/** The agents: every folder with an `index.ts`. Each is imported only when it is asked for. */
export async function outputs() {
  const lines = (await agentNames()).map((name) => `  ${key(name)}: () => import("./agents/${name}/index.ts"),\n`);
  const text = `${header}export const agentModules = {\n${lines.join("")}} as const;\n`;
  return [{ path: "packages/agents/src/registry.gen.ts", text }];
}

async function agentNames() {
  const folder = join(root, agentsFolder);
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  return names.filter((name) => existsSync(join(folder, name, "index.ts"))).sort();
}

function key(name) {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
