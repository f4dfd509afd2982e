import { folderRegistry } from "./folder-registry.mjs";

/** Where the agents keep what they sign in with. */
export async function outputs() {
  const folder = "packages/agents/src/agents";
  const path = "packages/agents/src/credentials/credentials.gen.ts";
  return [await folderRegistry({ folder, path, name: "credentialModules", file: "credentials.ts" })];
}
