import { folderRegistry } from "./folder-registry.mjs";

/** The agents. */
export async function outputs() {
  const folder = "packages/agents/src/agents";
  return [await folderRegistry({ folder, path: "packages/agents/src/registry.gen.ts", name: "agentModules" })];
}
